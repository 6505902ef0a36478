package app

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// statusCommand lists the sign-ins that are kept.
func (p *process) statusCommand(server []string) *ff.Command {
	const command = "status"
	var v vault
	fs := v.flags(command)
	var asJSON bool
	addSwitch(fs, "json", &asJSON)
	return &ff.Command{
		Name: command, Usage: name + " " + command, LongHelp: statusHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			if err := checkAlone(command, args, server); err != nil {
				return err
			}
			c, err := v.stores(p.env)
			if err != nil {
				return err
			}
			return p.status(ctx, &v, c, asJSON)
		},
	}
}

// A statusLine is a line of the report: a store, one that was skipped, a sign-in, or a record
// that is damaged.
type statusLine struct {
	Store   string `json:"store,omitempty"`
	Dir     string `json:"dir,omitempty"`
	Skipped string `json:"skipped,omitempty"`
	Reason  string `json:"reason,omitempty"`

	Key     string `json:"key,omitempty"`
	Origin  string `json:"origin,omitempty"`
	Account string `json:"account,omitempty"`
	Issuer  string `json:"issuer,omitempty"`
	Scopes  *int   `json:"scopes,omitempty"`
	Access  string `json:"access,omitempty"`
	Refresh string `json:"refresh,omitempty"`
	Saved   string `json:"saved,omitempty"`

	Damaged string `json:"damaged,omitempty"`
}

// String returns the line as people read it.
func (l statusLine) String() string {
	switch {
	case l.Store != "":
		return strings.TrimSpace("store " + l.Store + " " + l.Dir)
	case l.Skipped != "":
		return "skipped " + l.Skipped + ": " + l.Reason
	case l.Damaged != "":
		return "damaged: " + l.Damaged
	}
	return fmt.Sprintf("%s %s account=%s issuer=%s scopes=%d access=%s refresh=%s saved=%s",
		l.Key, l.Origin, l.Account, l.Issuer, *l.Scopes, l.Access, l.Refresh, l.Saved)
}

// status writes the report to stdout. It looks at every store that is there and makes none.
func (p *process) status(ctx context.Context, v *vault, c tokenvault.Config, asJSON bool) error {
	var report []statusLine
	var failed error
	eachStore(ctx, v, c, func(kind tokenvault.Mode, store tokenvault.Store, err error) {
		var kept []bridge.KeptSignIn
		if err == nil {
			kept, err = bridge.KeptSignIns(ctx, store)
		}
		if err != nil {
			failed = errStore
			report = append(report, statusLine{Skipped: kind.String(), Reason: reason(err)})
			return
		}
		report = append(report, statusLine{Store: kind.String(), Dir: store.Status().Dir})
		report = append(report, statusOf(kept, v.account)...)
	})
	if report == nil {
		report = []statusLine{{Store: "none"}}
	}
	for _, line := range report {
		text := line.String()
		if asJSON {
			encoded, err := json.Marshal(line)
			if err != nil {
				return err
			}
			text = string(encoded)
		}
		if err := p.say(text + "\n"); err != nil {
			return err
		}
	}
	return failed
}

// statusOf returns the lines of sign-ins: all, or those of an account and what is damaged.
func statusOf(kept []bridge.KeptSignIn, account string) []statusLine {
	slices.SortFunc(kept, func(a, b bridge.KeptSignIn) int {
		return cmp.Or(strings.Compare(a.Origin, b.Origin), strings.Compare(a.Account, b.Account), strings.Compare(a.Key, b.Key))
	})
	var all []statusLine
	for _, k := range kept {
		switch {
		case k.Err != nil:
			all = append(all, statusLine{Damaged: reason(k.Err)})
		case account == "" || account == k.Account:
			all = append(all, statusLine{
				Key: k.Key, Origin: k.Origin, Account: k.Account, Issuer: k.Issuer, Scopes: &k.Scopes, Access: access(k, time.Now()),
				Refresh: map[bool]string{true: "yes", false: "no"}[k.Refresh], Saved: k.Saved.UTC().Format(time.DateOnly),
			})
		}
	}
	return all
}

// access says how long the access token is good for.
func access(k bridge.KeptSignIn, now time.Time) string {
	left := k.Expires.Sub(now)
	switch {
	case !k.Access:
		return "none"
	case k.Expires.IsZero():
		return "valid"
	case left <= 0:
		return "expired"
	case left < time.Minute:
		return "valid <1m"
	case left < 2*time.Hour:
		return fmt.Sprintf("valid %dm", left/time.Minute)
	case left < 48*time.Hour:
		return fmt.Sprintf("valid %dh", left/time.Hour)
	}
	return fmt.Sprintf("valid %dd", left/(24*time.Hour))
}
