package app

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
)

var (
	statusLines = regexp.MustCompile(`(?m)^[0-9a-f]{8} https://127\.0\.0\.1:\d+ account=(\w+) issuer=127\.0\.0\.1:\d+ scopes=1 access=valid (59|60)m refresh=yes saved=\d{4}-\d\d-\d\d$`)
	statusJSON  = regexp.MustCompile(`^{"key":"[0-9a-f]{8}","origin":"https://127\.0\.0\.1:\d+","account":"a","issuer":"127\.0\.0\.1:\d+","scopes":1,"access":"valid (59|60)m","refresh":"yes","saved":"\d{4}-\d\d-\d\d"}$`)
)

// wantStatus looks at what status says: the store, a line for each of accounts, and nothing
// else.
func wantStatus(t *testing.T, p *person, code int, accounts ...string) {
	t.Helper()
	got, stdout, stderr := runWith(t, p.env, p.of("status"))
	noMarker4(t, "status", stdout+stderr)
	head, rest, _ := strings.Cut(stdout, "\n")
	var found []string
	for _, match := range statusLines.FindAllStringSubmatch(rest, -1) {
		found = append(found, match[1])
	}
	if got != code || !strings.HasPrefix(head, "store file ") || strings.Count(rest, "\n") != len(accounts) || strings.Join(found, " ") != strings.Join(accounts, " ") || stderr != "" {
		t.Errorf("status = code %d, stdout:\n%sstderr: %s; want %q", got, stdout, stderr, accounts)
	}
}

// req: X06
func TestX06AccessOfAKeptSignIn(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name string
		kept bridge.KeptSignIn
		want string
	}{
		{"none", bridge.KeptSignIn{Expires: now.Add(time.Hour)}, "none"},
		{"not known", bridge.KeptSignIn{Access: true}, "valid"},
		{"over", bridge.KeptSignIn{Access: true, Expires: now}, "expired"},
		{"nearly over", bridge.KeptSignIn{Access: true, Expires: now.Add(59 * time.Second)}, "valid <1m"},
		{"minutes", bridge.KeptSignIn{Access: true, Expires: now.Add(12*time.Minute + time.Second)}, "valid 12m"},
		{"hours", bridge.KeptSignIn{Access: true, Expires: now.Add(47 * time.Hour)}, "valid 47h"},
		{"days", bridge.KeptSignIn{Access: true, Expires: now.Add(48 * time.Hour)}, "valid 2d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := access(tt.kept, now); got != tt.want {
				t.Errorf("access = %q, want %q", got, tt.want)
			}
		})
	}
}
