package app

import "github.com/peterbourgon/ff/v4"

// checkCommand tries a server and says what the bridge makes of it.
func (p *process) checkCommand(server []string) *ff.Command {
	set := defaults()
	fs := set.flags("check")
	return unfinished(fs, "bridge the server with --log-level debug and read the log", func(args []string) error {
		_, err := p.readServer(fs, set, args, server)
		return err
	})
}
