package app

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/tokenvault"
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

// Sign-ins stand in the order of their names, those of other accounts are left out, and what
// is damaged is there in any case.
//
// req: X06
func TestX06StatusLines(t *testing.T) {
	saved := time.Date(2026, 12, 1, 1, 0, 0, 0, time.FixedZone("", 7200))
	kept := []bridge.KeptSignIn{
		{Key: "2", Origin: "https://b", Account: "w", Issuer: "i", Scopes: 3, Saved: saved},
		{Err: &tokenvault.Error{Err: tokenvault.ErrDamaged, Detail: "corrupt"}},
		{Key: "1", Origin: "https://a", Issuer: "i", Refresh: true, Access: true, Saved: saved},
	}
	const damaged, one, two = "damaged: a file of the vault is not usable: corrupt\n",
		"1 https://a account= issuer=i scopes=0 access=valid refresh=yes saved=2026-11-30\n",
		"2 https://b account=w issuer=i scopes=3 access=none refresh=no saved=2026-11-30\n"
	for account, want := range map[string]string{"": damaged + one + two, "w": damaged + two, "x": damaged} {
		var got strings.Builder
		for _, line := range statusOf(kept, account) {
			got.WriteString(line.String() + "\n")
		}
		if got.String() != want {
			t.Errorf("account %q:\n%swant:\n%s", account, got.String(), want)
		}
	}
}
