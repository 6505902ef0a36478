package mcpwire

import (
	"encoding/base64"
	"encoding/binary"
	"io"
	"time"
)

// inputComplete sends the request of s again, with the answers to its questions, after a
// pause where the upstream asked for nothing (T129) or must be given time (T125).
func (p *legacyOverModern) inputComplete(now time.Time, s *slot, out *Steps) {
	d := s.rounds.pause
	if len(s.rounds.questions) == 0 {
		d = p.core.shedPause(s.rounds.shed)
		s.rounds.shed++
	} else {
		s.rounds.shed = 0
	}
	if d > 0 {
		s.phase = phasePausing
		p.core.limit(now, s, d, out)
		return
	}
	p.retry(now, s, out)
}

// shedPause returns the pause before a retry without questions, of which n came
// before it in a row: it doubles, and a random part of what it has grown by is taken
// off, so that many clients do not come back together.
func (c *core) shedPause(n int) time.Duration {
	least := c.options.Limits.PauseMin
	d := doubled(least, c.options.Limits.PauseMax, n)
	if d <= least {
		return d
	}
	var b [8]byte
	if !c.random(b[:]) {
		return d
	}
	return least + time.Duration(binary.LittleEndian.Uint64(b[:])%uint64(d-least+1))
}

// doubled returns d doubled n times, but no more than limit.
func doubled(d, limit time.Duration, n int) time.Duration {
	for ; n > 0 && d < limit; n-- {
		d = min(2*d, limit)
	}
	return d
}

// random fills b, and reports false where there is no randomness.
func (c *core) random(b []byte) bool {
	if c.options.Rand == nil {
		return false
	}
	_, err := io.ReadFull(c.options.Rand, b)
	return err == nil
}

// identify implements T123: it gives a URL an id that nobody can guess. It reports
// false where there is no randomness.
func (c *core) identify(q *question) bool {
	var b [16]byte
	ok := c.random(b[:])
	q.id = "e-" + base64.RawURLEncoding.EncodeToString(b[:])
	return ok
}

// retry sends the request of s again under a new id, as the front sent it, with what
// the rounds have gathered (T130, T17).
func (p *legacyOverModern) retry(now time.Time, s *slot, out *Steps) {
	c := p.core
	m, err := s.request.message()
	if err != nil {
		c.end(now, s, CauseInvalidRequest, out)
		return
	}
	kept, _ := keptParams(m, s.method)
	meta := readMeta(m)
	s.phase, s.started = phaseWaiting, now
	c.renew(s, out)
	p.launch(now, s, m, &kept, &meta, out)
}

// expired takes the end of what the request of s waited for.
func (p *legacyOverModern) expired(now time.Time, s *slot, out *Steps) {
	c := p.core
	switch s.phase {
	case phaseWaiting: // T51
		if s.listing != nil {
			c.abandon(s.upstream, nil, out)
			p.listed(now, s, CauseTimeout, out)
			return
		}
		c.timeout(now, s, out)
	case phaseToAsk:
		switch {
		case !p.initialized: // T12
			c.end(now, s, CauseNotInitialized, out)
		case c.ending: // there is nobody to ask any more
			c.end(now, s, CauseInputFailed, out)
		default:
			p.send(now, s, out)
		}
	case phaseAsking, phaseReplying: // T120
		c.end(now, s, CauseInputTimeout, out)
	case phaseIndexing, phasePausing:
		p.retry(now, s, out)
	}
}
