package app

import "github.com/peterbourgon/ff/v4"

// logoutCommand deletes the sign-in of one server, or all of them.
func (p *process) logoutCommand(server []string) *ff.Command {
	const command = "logout"
	var v vault
	all := false
	fs := v.flags(command)
	addSwitch(fs, "all", &all)
	return unfinished(fs, "no sign-in is kept, so there is none to delete", func(args []string) error {
		if err := checkNoServer(command, server); err != nil {
			return err
		}
		if err := checkLogout(fs, all, args); err != nil {
			return err
		}
		_, err := v.key(p.env)
		return err
	})
}

// checkLogout takes one URL with or without an account, or all and neither.
func checkLogout(flags ff.Flags, all bool, args []string) error {
	switch {
	case !all && len(args) == 0:
		return &usageError{text: "logout needs the URL of a server, or --all"}
	case !all:
		return checkURL(args)
	case len(args) > 0:
		return &usageError{option: "--all", text: "takes no URL"}
	}
	return checkSet(flags, []string{"account"}, "has no effect with --all")
}
