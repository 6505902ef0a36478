package lane

// serve is the goroutine of the lane: it writes what the callers of Flush left.
func (l *Lane) serve() {
	for {
		select {
		case <-l.wake:
		case <-l.stop:
			return
		}
		l.mu.Lock()
		for !l.queue.empty() {
			l.step()
		}
		l.rest()
		l.mu.Unlock()
	}
}

// step writes some of the first lines, and waits for a peer that takes nothing.
// What waits here can still be taken back. The caller holds the lock, which step
// gives up meanwhile, and busy.
func (l *Lane) step() {
	l.mu.Unlock()
	err := l.out.wait()
	l.mu.Lock()
	if err != nil {
		l.wrote(0, err)
		return
	}
	if big := l.queue.takeBig(); big != nil {
		l.mu.Unlock()
		n, err := l.writeBig(big)
		l.mu.Lock()
		l.wrote(n, err)
		return
	}
	p := l.queue.take(l.out.most())
	if len(p) == 0 {
		return
	}
	l.mu.Unlock()
	n, err := l.out.put(p)
	l.mu.Lock()
	l.wrote(n, err)
}

// scrap is the size up to which a slice of a big line is copied to be written
// together with its neighbours.
const scrap = 4 << 10 // bytes

// writeBig writes a big line whole. It returns how many bytes of the queue that
// makes.
func (l *Lane) writeBig(b *big) (int, error) {
	var small []byte
	for _, s := range b.slices() {
		if len(s) < scrap {
			small = append(small, s...)
			continue
		}
		if err := l.putAll(small); err != nil {
			return 0, err
		}
		small = small[:0]
		if err := l.putAll(s); err != nil {
			return 0, err
		}
	}
	return b.size, l.putAll(append(small, '\n'))
}

func (l *Lane) putAll(p []byte) error {
	for len(p) > 0 {
		if err := l.out.wait(); err != nil {
			return err
		}
		n, err := l.out.put(p[:min(len(p), l.out.most())])
		if err != nil {
			return err
		}
		p = p[n:]
	}
	return nil
}
