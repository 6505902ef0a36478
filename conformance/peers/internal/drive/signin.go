package drive

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
)

// A SignIn is what a bridge needs to sign in by itself in a run, beside others.
type SignIn struct {
	Browser string // a program that opens the address which is its one argument
	Port    int    // of this machine, for the redirect
}

// document is what the scenario about client ID metadata documents wants to be told.
const document = "https://conformance-test.local/client-metadata.json"

// prepared returns the command of the bridge and its environment, with what the scenario
// wants of a sign-in.
func (r Run) prepared() (bridge, env []string, err error) {
	options := []string{"--redirect-port", strconv.Itoa(r.SignIn.Port), "--token-store", "memory"}
	env = append(slices.Clone(r.Env), "BROWSER="+r.SignIn.Browser)
	switch r.Scenario {
	case "auth/basic-cimd":
		options = append(options, "--client-metadata-url", document)
	case "auth/pre-registration":
		var told struct {
			ID     string `json:"client_id"`
			Secret string `json:"client_secret"`
			Issuer string `json:"issuer"`
		}
		if err := json.Unmarshal([]byte(r.Context), &told); err != nil {
			return nil, nil, fmt.Errorf("read the context of the scenario: %w", err)
		}
		options = append(options, "--client-id", told.ID, "--client-issuer", told.Issuer)
		env = append(env, "MCP_BRIDGE_CLIENT_SECRET="+told.Secret)
	}
	return slices.Insert(slices.Clone(r.Bridge), len(r.Bridge)-1, options...), env, nil
}

// Ports for redirects. None is of those that systems give to connections, so what is free
// stays so until the bridge listens.
const (
	firstPort = 20000
	ports     = 10000
	stride    = 1009 // to the next try, so that it is not that of a process started just before or after
)

// FreePort returns a port of this machine on which nobody listens. Runs at the same time
// get different ones, since they are different processes.
func FreePort() (int, error) {
	for n := range ports {
		port := firstPort + (os.Getpid()+n*stride)%ports
		l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return port, l.Close()
		}
	}
	return 0, fmt.Errorf("no port from %d to %d is free", firstPort, firstPort+ports-1)
}
