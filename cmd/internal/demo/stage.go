package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// A stage is a running session: an editor that a script plays, the bridge, and the
// server. What crosses either wire is kept by a tap.
type stage struct {
	ctx    context.Context
	cancel context.CancelFunc

	editor               *io.PipeWriter // what the editor sends
	toServer, fromServer *tap
	toEditor             *tap
	page                 pageID

	bridge, server *part
}

// A part is a goroutine of the stage.
type part struct {
	name string
	done chan struct{} // closed at its end
	err  error         // readable once done is closed
}

func start(name string, run func() error) *part {
	p := &part{name: name, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = run()
	}()
	return p
}

func newStage(ctx context.Context) *stage {
	ctx, cancel := context.WithCancel(ctx)
	fromEditor, editor := io.Pipe()
	s := &stage{
		ctx: ctx, cancel: cancel, editor: editor,
		toServer: newTap(), fromServer: newTap(), toEditor: newTap(),
	}
	near, far := duplex()
	s.bridge = start("the bridge", func() error {
		return bridge.Run(ctx, bridge.Config{
			Front:    bridge.Stdio{In: fromEditor, Out: s.toEditor},
			Upstream: bridge.Link{Stream: near},
			Profile:  mcpwire.VSCode,
		})
	})
	s.server = start("the server", func() error {
		defer far.Close()
		return Serve(io.TeeReader(far, s.toServer), io.MultiWriter(s.fromServer, far))
	})
	return s
}

// play plays the exchanges of want and returns the frames that it has seen, and an
// error at the first one that is not the expected one.
func (s *stage) play(want *step) ([]frames, error) {
	seen := make([]frames, 0, len(want.exchanges))
	for i := range want.exchanges {
		last := i == len(want.exchanges)-1
		seen = append(seen, frames{})
		if err := s.exchange(&want.exchanges[i], want.endsInput && last, &seen[i]); err != nil {
			return seen, err
		}
	}
	return seen, s.noMore(&seen[len(seen)-1])
}

// exchange sends the frames of the editor and waits for all the others, which it adds
// to seen. If ends is set, the editor closes its end before the wait.
func (s *stage) exchange(want *frames, ends bool, seen *frames) error {
	for _, frame := range want.fromEditor {
		if _, err := io.WriteString(s.editor, frame+"\n"); err != nil {
			return fmt.Errorf("write to the bridge: %w", err)
		}
		seen.fromEditor = append(seen.fromEditor, frame)
	}
	if ends {
		s.editor.Close()
	}
	if err := s.expect("to the server", s.toServer, want.toServer, &seen.toServer); err != nil {
		return err
	}
	if err := s.expect("from the server", s.fromServer, want.fromServer, &seen.fromServer); err != nil {
		return err
	}
	if err := s.expect("to the editor", s.toEditor, want.toEditor, &seen.toEditor); err != nil {
		return err
	}
	if ends && !s.server.wait() { // it serves until its input ends
		return errors.New("to the server: no end of input")
	}
	return nil
}

// expect takes the frames of want from t and adds them to seen.
func (s *stage) expect(where string, t *tap, want []string, seen *[]string) error {
	ctx, cancel := context.WithTimeoutCause(s.ctx, waitTime, errors.New("no frame came"))
	defer cancel()
	for _, frame := range want {
		got, err := t.next(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w\nwant %s", where, err, frame)
		}
		got = s.page.replace(got)
		*seen = append(*seen, got)
		if got != frame {
			return fmt.Errorf("%s: another frame\nwant %s\ngot  %s", where, frame, got)
		}
	}
	return nil
}

// noMore takes what is there although the script has no more, and adds it to seen.
func (s *stage) noMore(seen *frames) error {
	return errors.Join(
		noMore("to the server", s.toServer, &seen.toServer),
		noMore("from the server", s.fromServer, &seen.fromServer),
		noMore("to the editor", s.toEditor, &seen.toEditor),
	)
}

func noMore(where string, t *tap, seen *[]string) error {
	got, ok := t.take()
	if !ok {
		return nil
	}
	*seen = append(*seen, got)
	return fmt.Errorf("%s: a frame too many\ngot  %s", where, got)
}

// end waits for the bridge and the server, which end by themselves after the end
// of the editor's input.
func (s *stage) end() error {
	for _, p := range []*part{s.bridge, s.server} {
		if !p.wait() {
			return fmt.Errorf("%s did not end", p.name)
		}
		if p.err != nil {
			return fmt.Errorf("%s: %w", p.name, p.err)
		}
	}
	return s.noMore(&frames{})
}

// close ends what still runs.
func (s *stage) close() {
	s.cancel()
	s.editor.Close()
	s.bridge.wait()
	s.server.wait()
}

// wait reports whether p has ended in time.
func (p *part) wait() bool {
	select {
	case <-p.done:
		return true
	case <-time.After(waitTime):
		return false
	}
}
