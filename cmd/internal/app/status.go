package app

import "github.com/peterbourgon/ff/v4"

// statusCommand lists the sign-ins that are kept.
func (p *process) statusCommand(server []string) *ff.Command {
	const command = "status"
	var v vault
	fs := v.flags(command)
	var asJSON bool
	addSwitch(fs, "json", &asJSON)
	return unfinished(fs, "no sign-in is kept, so there is none to show", func(args []string) error {
		if err := checkAlone(command, args, server); err != nil {
			return err
		}
		_, err := v.key(p.env)
		return err
	})
}
