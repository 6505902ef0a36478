package signin

import (
	"sync"
	"time"
)

// spending counts the refresh tokens that are being spent: a server may have taken one, and
// its answer is the only one that there will be.
type spending struct {
	mu   sync.Mutex // guards the fields below
	n    int
	none chan struct{} // closed when n is zero; nil if nobody waits for that
}

// begin counts one, until end is called.
func (s *spending) begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.n--; s.n == 0 && s.none != nil {
			close(s.none)
			s.none = nil
		}
	}
}

// wait returns when there is none, or after limit.
func (s *spending) wait(limit time.Duration) {
	s.mu.Lock()
	none := s.none
	if s.n > 0 && none == nil {
		none = make(chan struct{})
		s.none = none
	}
	s.mu.Unlock()
	if none == nil {
		return
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-none:
	case <-late.C:
	}
}
