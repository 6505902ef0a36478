package run

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/trestle-mcp/trestle/conformance/internal/authority"
	"github.com/trestle-mcp/trestle/conformance/internal/tap"
)

// A site is the server of a plan behind a proxy that records.
type site struct {
	server  *process
	record  *os.File
	proxy   *tap.Proxy
	front   *http.Server
	options []string // of the bridge, with which it reaches the proxy; the last is the URL
}

// open starts the server of the plan and the proxy of a session over HTTP.
func (k *Kit) open(ctx context.Context, s Session) (*site, error) {
	command, err := k.server(s)
	if err != nil {
		return nil, err
	}
	server, address, err := serving(ctx, k.dir, orDiscard(s.Err), func(port string) []string {
		if s.Plan == "go" {
			return append(command, "-http=127.0.0.1:"+port, fmt.Sprintf("-stateless=%t", !s.Older))
		}
		return append(command, "--http", port)
	})
	if err != nil {
		return nil, err
	}
	st := &site{server: server}
	if err := st.expose(s, address); err != nil {
		st.close()
		return nil, err
	}
	return st, nil
}

// expose starts the proxy in front of the server at address.
func (st *site) expose(s Session, address string) (err error) {
	st.record, err = os.OpenFile(filepath.Join(s.Record, Upstream.Name+".jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	errs := log.New(orDiscard(s.Err), "proxy: ", 0)
	st.proxy = tap.NewProxy(&url.URL{Scheme: "http", Host: address}, st.record, errs)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	st.front = &http.Server{Handler: st.proxy, ErrorLog: errs}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if s.Over == OverHTTP {
		st.options = []string{"http://localhost:" + port + "/mcp"}
		go st.front.Serve(listener)
		return nil
	}
	if err := st.secure(s.Record); err != nil {
		return err
	}
	st.options = append(st.options, "https://localhost:"+port+"/mcp")
	go st.front.ServeTLS(listener, "", "")
	return nil
}

// secure gives the proxy a certificate, and the bridge the authority that signed it.
func (st *site) secure(dir string) error {
	private, err := authority.New()
	if err != nil {
		return err
	}
	certificate, err := tls.X509KeyPair(private.Chain, private.Key)
	if err != nil {
		return fmt.Errorf("secure the proxy: %w", err)
	}
	st.front.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	trusted, err := filepath.Abs(filepath.Join(dir, "ca.pem"))
	if err != nil {
		return fmt.Errorf("secure the proxy: %w", err)
	}
	st.options = []string{"--ca-file", trusted}
	return os.WriteFile(trusted, private.RootPEM(), 0o600)
}

// close ends the proxy and the server. Who used them is gone.
func (st *site) close() {
	if st.front != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		if st.front.Shutdown(ctx) != nil {
			st.front.Close()
		}
		cancel()
		st.proxy.CloseIdleConnections()
	}
	st.server.end()
	if st.record != nil {
		st.record.Close()
	}
}

// protocols returns the versions of HTTP that were spoken, in order.
func (st *site) protocols() ([]string, error) {
	exchanges, err := st.proxy.Exchanges()
	if err != nil {
		return nil, err
	}
	var all []string
	for _, e := range exchanges {
		all = append(all, e.Proto)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// A process is one that serves HTTP until it is killed.
type process struct {
	cmd  *exec.Cmd
	gone chan struct{} // closed when it has ended
}

func (p *process) end() {
	p.cmd.Process.Kill() // an error says that it is gone
	<-p.gone
}

// Serving starts a server that takes its port as an argument, and returns its address
// when it can be reached, and what ends it.
func Serving(ctx context.Context, dir string, errs io.Writer, command func(port string) []string) (address string, end func(), err error) {
	p, address, err := serving(ctx, dir, errs, command)
	if err != nil {
		return "", nil, err
	}
	return address, p.end, nil
}

var errEnded = errors.New("the server ended before it could be reached")

// serving starts a server that takes its port as an argument, and returns it with its
// address when it can be reached. Another process may take the port in between: then
// the server ends, and the next one gets another.
func serving(ctx context.Context, dir string, errs io.Writer, command func(port string) []string) (p *process, address string, err error) {
	for range 5 {
		if p, address, err = serve(ctx, dir, errs, command); !errors.Is(err, errEnded) {
			break
		}
	}
	if err != nil {
		return nil, "", fmt.Errorf("start a server: %w", err)
	}
	return p, address, nil
}

func serve(ctx context.Context, dir string, errs io.Writer, command func(port string) []string) (*process, string, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	address := free.Addr().String()
	free.Close()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, "", err
	}
	args := command(port)
	p := &process{cmd: exec.CommandContext(ctx, args[0], args[1:]...), gone: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = dir, errs, errs
	if err := p.cmd.Start(); err != nil {
		return nil, "", err
	}
	go func() {
		p.cmd.Wait() // how it ended does not matter
		close(p.gone)
	}()
	for {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return p, address, nil
		}
		select {
		case <-p.gone:
			return nil, "", errEnded
		case <-time.After(20 * time.Millisecond):
		}
	}
}
