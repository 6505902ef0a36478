package link

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

// halves is a stream whose directions can be closed one by one.
type halves struct {
	*io.PipeReader
	*io.PipeWriter
}

func (h halves) CloseWrite() error { return h.PipeWriter.Close() }

func (h halves) Close() error {
	h.PipeWriter.Close()
	return h.PipeReader.Close()
}

func TestCloseInput(t *testing.T) {
	t.Run("leaves the other direction open", func(t *testing.T) {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		l := New(halves{fromServer, toServer}, nil)
		go func() {
			io.Copy(io.Discard, in) // until the end of input
			io.WriteString(out, `{"jsonrpc":"2.0","method":"last"}`+"\n")
			out.Close()
		}()
		l.CloseInput()
		m, err := l.Read()
		if err != nil || !m.Is(m.Method, "last") {
			t.Errorf("Read = %v, want the message that follows the end of input", err)
		}
		if _, err := l.Read(); err != io.EOF {
			t.Errorf("Read = %v, want EOF", err)
		}
	})
	t.Run("closes a stream without halves", func(t *testing.T) {
		near, far := jsonrpc.Pipe()
		l := New(near, nil)
		l.CloseInput()
		if _, err := far.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the server reads %v, want EOF", err)
		}
		if _, err := l.Read(); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Read = %v, want %v", err, io.ErrClosedPipe)
		}
	})
}

func TestStop(t *testing.T) {
	for name, tt := range map[string]struct {
		ends bool
		want time.Duration
	}{
		"server that ends its output": {true, 0},
		"server that goes on":         {false, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := jsonrpc.Pipe()
				l := New(near, nil)
				go func() {
					for {
						if _, err := l.Read(); err != nil {
							return
						}
					}
				}()
				if tt.ends {
					far.Close()
				}
				synctest.Wait()
				begun := time.Now()
				l.Stop(2 * time.Second)
				if got := time.Since(begun); got != tt.want {
					t.Errorf("Stop returned after %v, want %v", got, tt.want)
				}
				if _, err := near.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("the stream is open after Stop: Write = %v", err)
				}
			})
		})
	}
}
