package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/trestle-mcp/trestle/bridge"
)

// req: P19
func TestSayEnding(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  error // of the context; nil: it goes on
		want string
	}{
		{"signal", errSignal, name + ": INFO a signal ends the session; a second one ends it at once\n"},
		{"end of the parent", errParent, name + ": INFO the process that started the bridge has ended, which ends the session\n"},
		{"another end", errors.New("another end"), ""},
		{"no end", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			stop := sayEnding(ctx, bridge.NewLog(&out, slog.LevelInfo))
			if tt.end != nil {
				cancel(tt.end)
			}
			stop()
			if got := out.String(); got != tt.want {
				t.Errorf("log = %q, want %q", got, tt.want)
			}
		})
	}
}
