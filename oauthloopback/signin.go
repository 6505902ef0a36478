package oauthloopback

// A phase says how far a sign-in is.
type phase uint8

const (
	waiting phase = iota
	taken         // a redirect was accepted
	ended         // there will be none
)

// A signIn is what a receiver knows of its sign-in. It is left by its phase only
// once, from waiting.
type signIn struct {
	phase     phase
	err       error    // why it ended
	redirect  Redirect // what was taken
	startOn   bool     // there is a start URL
	startUsed bool     // it was opened
	token     Secret   // of the start URL
	target    AuthURL  // where it leads
}

// end reports whether it was err that ended the wait.
func (s *signIn) end(err error) bool {
	if s.phase != waiting {
		return false
	}
	s.phase, s.err = ended, err
	return true
}

func (s *signIn) take(r Redirect) {
	s.phase, s.redirect = taken, r
}

// reused says that the second use of the start URL has ended the wait.
func (s *signIn) reused() bool {
	err, ok := s.err.(*Error)
	return ok && err.Reason == ReasonStartReused
}
