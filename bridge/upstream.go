package bridge

import (
	"errors"
	"io"
	"log/slog"

	"github.com/trestle-mcp/trestle/bridge/internal/diag"
	"github.com/trestle-mcp/trestle/bridge/internal/session"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/child"
	"github.com/trestle-mcp/trestle/bridge/internal/upstream/link"
	"github.com/trestle-mcp/trestle/jsonrpc"
	"github.com/trestle-mcp/trestle/mcpwire"
)

// An Upstream is the end that faces the server: [Command], [Link] or [Remote].
type Upstream interface {
	check() error
	// connect starts the server and puts it into the parts of a session.
	connect(sc *session.Config, limits Limits)
}

// Command starts a server as a child process and speaks to it over its standard
// streams.
//
// There is no shell: Path is the name of one program, with spaces and all, and
// Args reach it as they are; a batch file is refused unless AllowBatch is set. The
// child leads a process group of its own (on Windows, a job), which is ended with it.
// On Linux the child is killed when this process dies; on Windows the whole job is.
//
// What remains: a process that left the group of the child, or that ignores the
// end of its input after its launcher was killed, is not found; on macOS, when
// this process is killed, the child only sees the end of its input.
type Command struct {
	Path string   // looked up in PATH if it has no separator
	Args []string // without the name of the program

	// Env is the environment, in the form of os.Environ. If nil, it is that of
	// this process.
	Env []string

	// Stderr gets what the child writes to its standard error: one Write for each
	// line, with a prefix, cut at 8 KiB, control characters escaped. If nil, it is
	// dropped. A Write that blocks holds up the lines behind it, in the end the
	// child's writes too, and never Run: if it has not returned when Run does, its
	// goroutine is left behind.
	Stderr io.Writer

	// AllowBatch lets Path be a batch file on Windows. The system gives such a file
	// to its shell, which reads arguments in its own way: one that holds a character
	// of "%^&|<> or a line break is refused all the same, as is such a path. On other
	// systems it has no effect.
	AllowBatch bool

	// Started, if it is set, is called once the child runs. kill ends the child and
	// its process group (its job) at once, from any goroutine; when Run has returned
	// it does nothing. It is for a program that has to end without waiting for Run,
	// in an emergency.
	Started func(kill func())
}

// Link speaks to a server in this process, or to one that somebody else started,
// over a stream. Run closes the stream; Close must make a blocked Read and Write
// return. If the stream has a method CloseWrite, that is called first, so that the
// server can still answer.
type Link struct {
	Stream io.ReadWriteCloser
}

func (c Command) check() error {
	if c.Path == "" {
		return errors.New("bridge: Command needs a Path")
	}
	return nil
}

func (c Command) connect(sc *session.Config, limits Limits) {
	p, err := child.Start(child.Spec{
		Path: c.Path, Args: c.Args, Env: c.Env, Stderr: c.Stderr, Tag: diag.Tag,
		Lines: serverLines(limits), Grace: limits.Grace, Go: sc.Go, AllowBatch: c.AllowBatch,
	})
	if err != nil {
		sc.Refused = err
		return
	}
	if c.Started != nil {
		c.Started(p.Kill)
	}
	sc.Upstream = session.NewLined(p, lined(limits, session.LinedOptions{OwnInput: true, Gone: mcpwire.CauseUpstreamExited}))
	sc.Exit = func() session.Exit {
		e := p.Exit()
		attr := diag.Status(e.Status)
		if e.Signal != "" {
			attr = diag.Signal(e.Signal)
		}
		return session.Exit{Attrs: []slog.Attr{attr}, Forced: e.Forced}
	}
}

func (l Link) check() error {
	if l.Stream == nil {
		return errors.New("bridge: Link needs a Stream")
	}
	return nil
}

func (l Link) connect(sc *session.Config, limits Limits) {
	o := lined(limits, session.LinedOptions{Gone: mcpwire.CauseUpstreamClosed})
	sc.Upstream = session.NewLined(link.New(l.Stream, serverLines(limits)), o)
	sc.Exit = func() session.Exit { return session.Exit{} }
}

// lined returns o with the limits of a server that speaks line by line.
func lined(limits Limits, o session.LinedOptions) session.LinedOptions {
	o.Backlog, o.JunkBefore, o.Junk = limits.Backlog, limits.JunkBefore, limits.Junk
	return o
}

// maxDepth is the nesting that a line of a server may have, and the most that one of the
// client can be given.
const maxDepth = 512 // levels

// serverLines says how the lines of a server are read, whatever brings them.
func serverLines(limits Limits) *jsonrpc.ReaderOptions {
	return &jsonrpc.ReaderOptions{
		MaxLine:             limits.Line,
		MaxDepth:            maxDepth,
		Members:             mcpwire.Members(),
		AllowLoneSurrogates: true,
		Batches:             true,
	}
}
