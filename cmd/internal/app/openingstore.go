package app

import (
	"context"
	"errors"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

// openTime is what a store that is being opened gets after the end of the session (P02): a
// mistake is then told all the same, and a keychain that hangs is not waited for.
const openTime = 2 * time.Second

// errClosed is what there is to say of a store that the end of the session has overtaken.
var errClosed = errors.New("cmd: the session is over")

// An openingStore is a store that is opened while the session begins: a keychain can take
// seconds, or wait for a person, and the end of the editor's input must be seen meanwhile.
// Whoever needs the store waits for it.
type openingStore struct {
	session context.Context // of the session, which ends if there is no store
	cancel  context.CancelFunc
	ready   chan struct{} // closed when the fields below are set
	store   tokenvault.Store
	err     error
}

// startOpening opens a store by open.
func startOpening(ctx context.Context, open func(context.Context) (tokenvault.Store, error)) *openingStore {
	s := &openingStore{ready: make(chan struct{})}
	session, stop := context.WithCancel(ctx)
	within, cancel := context.WithCancel(ctx)
	s.session, s.cancel = session, func() {
		cancel()
		stop()
	}
	go func() {
		defer close(s.ready)
		if s.store, s.err = open(within); s.err != nil {
			stop()
		}
	}()
	return s
}

// within is the context of the session, which ctx is if there is no store to be opened.
func (s *openingStore) within(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	return s.session
}

// end closes the store after the session. It returns why there was none, unless the session
// was over before that was known.
func (s *openingStore) end() error {
	if s == nil {
		return nil
	}
	late := time.AfterFunc(openTime, s.cancel)
	defer late.Stop()
	defer s.cancel()
	<-s.ready
	switch {
	case s.store != nil:
		s.store.Close()
		return nil
	case errors.Is(s.err, context.Canceled):
		return nil
	}
	return s.err
}

// wait returns the store once it is open.
func (s *openingStore) wait(ctx context.Context) (tokenvault.Store, error) {
	if s == nil {
		return nil, nil
	}
	select {
	case <-s.ready:
		if s.err != nil {
			return nil, errClosed // the session ends because of it
		}
		return s.store, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *openingStore) Get(ctx context.Context, id tokenvault.ID) (tokenvault.Entry, error) {
	store, err := s.wait(ctx)
	if err != nil {
		return tokenvault.Entry{}, err
	}
	return store.Get(ctx, id)
}

func (s *openingStore) Put(ctx context.Context, id tokenvault.ID, value tokenvault.Secret, o tokenvault.PutOptions) (tokenvault.Revision, error) {
	store, err := s.wait(ctx)
	if err != nil {
		return tokenvault.Revision{}, err
	}
	return store.Put(ctx, id, value, o)
}

func (s *openingStore) Delete(ctx context.Context, id tokenvault.ID, when tokenvault.Cond) error {
	store, err := s.wait(ctx)
	if err != nil {
		return err
	}
	return store.Delete(ctx, id, when)
}

func (s *openingStore) Refresh(ctx context.Context, id tokenvault.ID, seen tokenvault.Revision, fn tokenvault.RefreshFunc) (tokenvault.Entry, bool, error) {
	store, err := s.wait(ctx)
	if err != nil {
		return tokenvault.Entry{}, false, err
	}
	return store.Refresh(ctx, id, seen, fn)
}

func (s *openingStore) List(ctx context.Context) ([]tokenvault.Info, error) {
	store, err := s.wait(ctx)
	if err != nil {
		return nil, err
	}
	return store.List(ctx)
}

// Status is that of no store until there is one.
func (s *openingStore) Status() tokenvault.Status {
	select {
	case <-s.ready:
		if s.store != nil {
			return s.store.Status()
		}
	default:
	}
	return tokenvault.Status{}
}

// Close does nothing: end closes the store.
func (*openingStore) Close() error { return nil }
