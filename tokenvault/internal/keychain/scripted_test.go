package keychain

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// A scripted is a Backend whose methods the test can replace. It counts the calls.
type scripted struct {
	mu    sync.Mutex
	items map[string][]byte
	calls []string

	get    func(ctx context.Context) ([]byte, error)
	set    func(ctx context.Context, value []byte) error
	delete func(ctx context.Context) error
}

func (s *scripted) called(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, name)
}

func (s *scripted) made() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

func (s *scripted) Get(ctx context.Context, service, account string) ([]byte, error) {
	s.called("get")
	if s.get != nil {
		return s.get(ctx)
	}
	value, found := s.items[service+":"+account]
	if !found {
		return nil, fmt.Errorf("get %s: %w", account, fault.ErrNotFound)
	}
	return bytes.Clone(value), nil
}

func (s *scripted) Set(ctx context.Context, service, account string, value []byte) error {
	s.called("set")
	if s.set != nil {
		return s.set(ctx, value)
	}
	if s.items == nil {
		s.items = map[string][]byte{}
	}
	s.items[service+":"+account] = bytes.Clone(value)
	return nil
}

func (s *scripted) Delete(ctx context.Context, service, account string) error {
	s.called("delete")
	if s.delete != nil {
		return s.delete(ctx)
	}
	if _, found := s.items[service+":"+account]; !found {
		return fault.ErrNotFound
	}
	delete(s.items, service+":"+account)
	return nil
}
