package app

import (
	"context"
	"fmt"

	"github.com/peterbourgon/ff/v4"

	"github.com/trestle-mcp/trestle/bridge"
	"github.com/trestle-mcp/trestle/tokenvault"
)

// logoutCommand deletes the sign-in of one server, or all of them.
func (p *process) logoutCommand(server []string) *ff.Command {
	const command = "logout"
	var v vault
	all := false
	fs := v.flags(command)
	addSwitch(fs, "all", &all)
	return &ff.Command{
		Name: command, Usage: name + " " + command, LongHelp: logoutHelp, Flags: fs,
		Exec: func(ctx context.Context, args []string) error {
			if err := checkNoServer(command, server); err != nil {
				return err
			}
			if err := checkLogout(fs, all, args); err != nil {
				return err
			}
			c, err := v.stores(p.env)
			switch {
			case err != nil:
				return err
			case all:
				return p.logoutAll(ctx, &v, c)
			}
			return p.logout(ctx, &v, c, args[0])
		},
	}
}

// checkLogout takes one URL with or without an account, or all and neither.
func checkLogout(flags ff.Flags, all bool, args []string) error {
	switch {
	case !all && len(args) == 0:
		return &usageError{text: "logout needs the URL of a server, or --all"}
	case !all:
		if err := checkURL(args); err != nil {
			return err
		}
		if err := bridge.CheckURL(args[0]); err != nil {
			return &usageError{text: "the URL of the server " + err.Error()}
		}
		return nil
	case len(args) > 0:
		return &usageError{option: "--all", text: "takes no URL"}
	}
	return checkSet(flags, []string{"account"}, "has no effect with --all")
}

// logout deletes one sign-in from every store that is there.
func (p *process) logout(ctx context.Context, v *vault, c tokenvault.Config, url string) error {
	deleted, failed := 0, error(nil)
	eachStore(ctx, v, c, func(kind tokenvault.Mode, store tokenvault.Store, err error) {
		var found bool
		if err == nil {
			found, err = bridge.SignOut(ctx, store, v.account, url)
		}
		if err != nil {
			failed = p.untouched(kind, err)
		}
		if found {
			deleted++
		}
	})
	text := "there is no sign-in to delete for this URL and account; " + name + " status shows what there is"
	switch {
	case deleted > 0:
		text = "the sign-in is deleted"
	case failed != nil:
		text = "no sign-in was deleted"
	}
	if err := p.say(text + "\n"); err != nil {
		return err
	}
	return failed
}

// logoutAll deletes every store that is there, also one whose key is lost (V05).
func (p *process) logoutAll(ctx context.Context, v *vault, c tokenvault.Config) error {
	deleted, failed := 0, error(nil)
	for _, c.Mode = range v.kinds() {
		report, err := tokenvault.Reset(ctx, c, tokenvault.DeleteEverything)
		deleted += report.Deleted
		if err != nil {
			failed = p.untouched(c.Mode, err)
		}
	}
	if err := p.say(fmt.Sprintf("records deleted: %d\n", deleted)); err != nil {
		return err
	}
	return failed
}

// untouched says that a store was not, or not wholly, dealt with.
func (p *process) untouched(kind tokenvault.Mode, err error) error {
	fmt.Fprintf(p.stderr, "%s: ERROR %s: %s\n", name, storeName(kind), reason(err))
	return errStore
}

// storeName is what people know a store by.
func storeName(kind tokenvault.Mode) string {
	if kind == tokenvault.File {
		return "file store"
	}
	return kind.String()
}
