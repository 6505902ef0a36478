package diag

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/mcpwire"
)

func TestLineForm(t *testing.T) {
	for _, tt := range []struct {
		name string
		log  func(l *slog.Logger)
		want string
	}{
		{"text alone", func(l *slog.Logger) { l.Info("ready") }, "INFO ready"},
		{"attributes of the set", func(l *slog.Logger) {
			l.LogAttrs(context.Background(), slog.LevelWarn, "dropped", Rule("T72"), Method("tools/list"), Count(3))
		}, "WARN dropped rule=T72 method=tools/list count=3"},
		{"value with blanks is quoted", func(l *slog.Logger) { l.Error("x", "cause", "a b\nc") }, `ERROR x cause="a b\nc"`},
		{"value beyond ASCII is quoted", func(l *slog.Logger) { l.Error("x", "cause", "\u202e\u009b") }, `ERROR x cause="\u202e\u009b"`},
		{"delete, equals sign and quote are quoted", func(l *slog.Logger) {
			l.Error("x", "cause", "a\x7f", "rule", "a=b", "method", `a"b`)
		}, `ERROR x cause="a\x7f" rule="a=b" method="a\"b"`},
		{"empty value is quoted", func(l *slog.Logger) { l.Error("x", "cause", "") }, `ERROR x cause=""`},
		{"duration", func(l *slog.Logger) {
			l.LogAttrs(context.Background(), slog.LevelInfo, "x", Took(1234567*time.Nanosecond))
		}, "INFO x took=1.23ms"},
		{"short and long durations", func(l *slog.Logger) {
			l.LogAttrs(context.Background(), slog.LevelInfo, "x", Took(670*time.Microsecond), Took(time.Hour))
		}, "INFO x took=0.67ms took=3600000ms"},
		{"refuses an unknown key", func(l *slog.Logger) { l.Info("x", "arguments", "secret") }, "INFO x"},
		{"refuses a value that is not plain", func(l *slog.Logger) { l.Info("x", "cause", errors.New("secret")) }, "INFO x"},
		{"refuses a value that computes itself", func(l *slog.Logger) { l.Info("x", "cause", valuer{}) }, "INFO x"},
		{"refuses a group", func(l *slog.Logger) { l.WithGroup("g").Info("x", "cause", "secret") }, "INFO x"},
		{"attributes before a group stay", func(l *slog.Logger) {
			l.With("rule", "T1").WithGroup("g").With("cause", "secret").Info("x")
		}, "INFO x rule=T1"},
		{"text stays on one line", func(l *slog.Logger) { l.Info("a\nb\x1b[2J") }, "INFO a b [2J"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			tt.log(slog.New(NewHandler(&out, slog.LevelDebug)))
			if got, want := out.String(), "mcp-bridge-vscode: "+tt.want+"\n"; got != want {
				t.Errorf("line = %q, want %q", got, want)
			}
		})
	}
}

type valuer struct{}

func (valuer) LogValue() slog.Value { return slog.StringValue("secret") }

// Handlers that come from one do not share what each of them adds.
func TestAttributesAreNotShared(t *testing.T) {
	var out bytes.Buffer
	l := slog.New(NewHandler(&out, slog.LevelDebug)).With("rule", strings.Repeat("x", 40), "method", "m")
	a, b := l.With("count", 1), l.With("count", 2)
	a.Info("a")
	b.Info("b")
	text := out.String()
	if !strings.Contains(text, "INFO a rule="+strings.Repeat("x", 40)+" method=m count=1\n") || !strings.HasSuffix(text, "method=m count=2\n") {
		t.Errorf("wrote %q", text)
	}
}

// Lines of several goroutines do not mix.
func TestHandlerIsSafeForConcurrentUse(t *testing.T) {
	var out bytes.Buffer
	l := slog.New(NewHandler(&out, slog.LevelDebug))
	events := NewEvents(l)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for j := range 100 {
				l.With("count", i).Info("text")
				events.Write(time.Now(), &mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T" + strconv.Itoa(100*i+j)})
			}
		})
	}
	all.Wait()
	whole := regexp.MustCompile(`^mcp-bridge-vscode: [A-Z]+ [^=]* (count|rule)=T?\d+\n$`)
	n := 0
	for line := range strings.Lines(out.String()) {
		if n++; !whole.MatchString(line) {
			t.Errorf("line %q", line)
		}
	}
	if n != 800 {
		t.Errorf("%d lines, want 800", n)
	}
}

func TestLevel(t *testing.T) {
	var out bytes.Buffer
	l := slog.New(NewHandler(&out, slog.LevelWarn))
	l.Info("no")
	l.Warn("yes")
	if got, want := out.String(), "mcp-bridge-vscode: WARN yes\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// counter counts the calls of Write.
type counter struct{ calls int }

func (c *counter) Write(p []byte) (int, error) { c.calls++; return len(p), nil }

func TestOneWriteForEachLine(t *testing.T) {
	var c counter
	l := slog.New(NewHandler(&c, slog.LevelDebug))
	l.Info(strings.Repeat("long ", 50_000), "cause", "busy")
	if c.calls != 1 {
		t.Errorf("calls of Write = %d, want 1", c.calls)
	}
}

func TestAttributesAreOfTheSet(t *testing.T) {
	attrs := []slog.Attr{
		Method("m"), Rule("r"), Cause(mcpwire.CauseBusy), Count(1), Round(1), Outcome(""), Took(1), Status(1), Signal("s"), Issuer("i"), at("a"),
		Detail("d"), Code("c"), Port(1), Expected("e"), Received("r"), Redirect("u"), Revision("r"),
	}
	if got, want := len(attrs), len(known); got != want {
		t.Errorf("%d constructors for %d keys", got, want)
	}
	for _, a := range attrs {
		if !known[key(a.Key)] {
			t.Errorf("key %q is not of the set", a.Key)
		}
	}
}

// lines returns what is logged for events, without the tag.
func lines(level slog.Level, events ...mcpwire.Event) []string {
	var out bytes.Buffer
	w := NewEvents(slog.New(NewHandler(&out, level)))
	now := time.Unix(1_000_000, 0)
	for i := range events {
		w.Write(now, &events[i])
		now = now.Add(time.Second)
	}
	text := strings.ReplaceAll(out.String(), Tag+": ", "")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// req: P18
func TestInitializeFailureSaysWhatToDo(t *testing.T) {
	for _, c := range mcpwire.Causes() {
		got := lines(slog.LevelError, mcpwire.Event{Kind: mcpwire.EventInitializeFailed, Method: "initialize", Cause: c})
		if len(got) != 1 || !strings.Contains(got[0], c.Text()) || !strings.Contains(got[0], c.Help()) ||
			!strings.HasSuffix(got[0], " cause="+word(c)) {
			t.Errorf("lines for %s = %q, want one with text, help and cause", c, got)
		}
	}
	e := mcpwire.Event{Kind: mcpwire.EventInitializeFailed, Method: "initialize", Cause: mcpwire.CauseHTTPStatus, Status: 401}
	if got := lines(slog.LevelError, e); len(got) != 1 || !strings.HasSuffix(got[0], " cause=http_status status=401") {
		t.Errorf("lines = %q, want one that ends with cause and status", got)
	}
}

// Whoever did not finish a sign-in in time reads what to do: the authorization server may have
// forgotten the bridge, and its page cannot say so to the bridge.
//
// req: S20
func TestS20SignInThatTimesOut(t *testing.T) {
	for _, kind := range []mcpwire.EventKind{mcpwire.EventInitializeFailed, mcpwire.EventRefused} {
		got := lines(slog.LevelWarn, mcpwire.Event{Kind: kind, Cause: mcpwire.CauseSignInTimeout})
		if len(got) != 1 || !strings.Contains(got[0], "run the command logout") || !strings.Contains(got[0], "--sign-in-timeout") {
			t.Errorf("lines = %q, want one that names the way out", got)
		}
	}
}

// sandboxWords are what the editor takes for a sign that a sandbox is in the way.
var sandboxWords = regexp.MustCompile(`(?i)EACCES|EPERM|ENOENT|EROFS|fail|read-only|No matching config rule, denying`)

// req: P21
func TestRoutineLinesHoldNoSandboxWords(t *testing.T) {
	kinds := []mcpwire.EventKind{
		mcpwire.EventInitializeFailed, mcpwire.EventReady, mcpwire.EventDropped,
		mcpwire.EventRepaired, mcpwire.EventViolation, mcpwire.EventExchange, mcpwire.EventRefused, mcpwire.EventCancelled, mcpwire.EventUnanswered, mcpwire.EventInput,
	}
	for _, kind := range kinds {
		for _, rule := range []string{"", "T1", "T6", "T7", "T8", "T12", "T72", "T116", "I13", "I14", "T140", "T145", "T148", "T150", "T151", "N04"} {
			for _, c := range append(mcpwire.Causes(), "") {
				got := lines(slog.LevelDebug, mcpwire.Event{Kind: kind, Rule: rule, Method: "tools/list", Cause: c})
				if w := sandboxWords.FindString(got[0]); w != "" {
					t.Errorf("line %q holds %q", got[0], w)
				}
			}
		}
	}
}

// req: P03
func TestExchangeLine(t *testing.T) {
	e := mcpwire.Event{Kind: mcpwire.EventExchange, Method: "tools/call", Round: 1, Took: 5 * time.Millisecond}
	if got, want := lines(slog.LevelDebug, e), []string{"DEBUG exchange method=tools/call round=1 outcome=ok took=5ms"}; !slices.Equal(got, want) {
		t.Errorf("lines = %q, want %q", got, want)
	}
	e.Cause = mcpwire.CauseTimeout
	if got, want := lines(slog.LevelDebug, e), []string{"DEBUG exchange method=tools/call round=1 outcome=timeout took=5ms"}; !slices.Equal(got, want) {
		t.Errorf("lines = %q, want %q", got, want)
	}
	if got := lines(slog.LevelInfo, e); got[0] != "" {
		t.Errorf("lines at level info = %q, want none", got)
	}
}

func TestLinesAboutOneSubjectAreOneAMinute(t *testing.T) {
	drop := mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T1"}
	other := mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T72"}
	events := []mcpwire.Event{drop, other}
	for range 60 { // a second each
		events = append(events, drop)
	}
	got := lines(slog.LevelInfo, events...)
	want := []string{
		"WARN a line of the server is no message and was dropped rule=T1",
		"WARN an element of the server's answer was left out rule=T72",
		"WARN a line of the server is no message and was dropped rule=T1 count=59",
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines = %q, want %q", got, want)
	}
}

// Events that differ in one thing only have lines of their own.
func TestSubjectOfALine(t *testing.T) {
	base := mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T72", Method: "tools/list", Cause: mcpwire.CauseBusy}
	for name, change := range map[string]func(e *mcpwire.Event){
		"kind":   func(e *mcpwire.Event) { e.Kind = mcpwire.EventRepaired },
		"rule":   func(e *mcpwire.Event) { e.Rule = "T73" },
		"method": func(e *mcpwire.Event) { e.Method = "prompts/list" },
		"cause":  func(e *mcpwire.Event) { e.Cause = mcpwire.CauseTimeout },
	} {
		other := base
		change(&other)
		if got := lines(slog.LevelInfo, base, other, base, other); len(got) != 2 {
			t.Errorf("events that differ in their %s have the lines %q, want one for each", name, got)
		}
	}
}

func TestCountOfAnEvent(t *testing.T) {
	e := mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T72", Count: 3}
	got := lines(slog.LevelInfo, e)
	if want := []string{"WARN an element of the server's answer was left out rule=T72 count=3"}; !slices.Equal(got, want) {
		t.Errorf("lines = %q, want %q", got, want)
	}
}

// A person who looks at the log of a session in which something is missing finds
// the cause and what to do.
func TestRefusalSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct {
		event mcpwire.Event
		want  string
	}{
		{mcpwire.Event{Kind: mcpwire.EventRefused, Method: "tools/call", Cause: mcpwire.CauseInputRefused},
			"WARN a request got an error of the bridge: " + mcpwire.CauseInputRefused.Help() + " method=tools/call cause=input_refused"},
		{mcpwire.Event{Kind: mcpwire.EventRefused, Cause: mcpwire.CauseMethodNotFound},
			"INFO a request got an error of the bridge: " + mcpwire.CauseMethodNotFound.Help() + " cause=method_not_found"},
		{mcpwire.Event{Kind: mcpwire.EventUnanswered, Rule: "T21", Count: 2},
			"WARN the input has ended; a request that was not answered in time is cancelled rule=T21 count=2"},
		{mcpwire.Event{Kind: mcpwire.EventDropped, Rule: "T148"}, ""},
	} {
		if got := lines(slog.LevelInfo, tt.event); len(got) != 1 || got[0] != tt.want {
			t.Errorf("lines of %+v = %q, want %q", tt.event, got, tt.want)
		}
	}
}

// req: P04
func TestRecoveredNamesThePlaceAndNotTheText(t *testing.T) {
	for name, panics := range map[string]func(){
		"value": func() { panic("secret") },
		"runtime error": func() {
			var secret []int
			secret[cap(secret)]++
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			func() {
				defer func() {
					recover()
					Recovered(slog.New(NewHandler(&out, slog.LevelDebug)))
				}()
				panics()
			}()
			got := out.String()
			if strings.Contains(got, "secret") || strings.Count(got, "\n") != 1 {
				t.Errorf("line = %q", got)
			}
			if !regexp.MustCompile(`^mcp-bridge-vscode: ERROR .* at=diag_test\.go:\d+\n$`).MatchString(got) {
				t.Errorf("line = %q, want the place of the panic", got)
			}
		})
	}
}

// Every rule by which mcpwire drops a message has words of its own; only elements of
// answers share the general ones.
func TestEveryDropHasWords(t *testing.T) {
	for _, rule := range []string{"T1", "T6", "T7", "T8", "T12", "T140", "T145", "T148", "T150", "T151", "N04"} {
		got := lines(slog.LevelDebug, mcpwire.Event{Kind: mcpwire.EventDropped, Rule: rule})
		if len(got) != 1 || strings.Contains(got[0], "an element of") {
			t.Errorf("lines of %s = %q, want words of its own", rule, got)
		}
	}
}

// The name of an issuer comes from outside: it stays in its quotes, and short.
func TestIssuer(t *testing.T) {
	var out bytes.Buffer
	slog.New(NewHandler(&out, slog.LevelInfo)).Warn("text", Issuer("a\nb \"c\" \u202E"+strings.Repeat("x", 100)))
	want := `mcp-bridge-vscode: WARN text issuer="a\nb \"c\" \u202e` + strings.Repeat("x", 53) + "\"\n"
	if got := out.String(); got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
