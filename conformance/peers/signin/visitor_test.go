package signin

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
)

// visitorVariable makes this program a browser. It names a file with a visitor.
const visitorVariable = "CONFORMANCE_VISITOR"

// A visitor follows redirects and keeps cookies meanwhile, as a browser does whose user
// agrees to everything.
type visitor struct {
	Authority string // a file: the certificate of an authority that it trusts
	Record    string // a file, to which each visit is added
	User      string // who signs in
	Stay      bool   // it opens nothing
	Twice     bool   // it opens the first page twice before it goes on
}

// A visit is what a visitor was started with and what it saw.
type visit struct {
	Args, Env []string
	Processes []string // command lines of all that ran then, where the system shows them
	Pages     []page
}

// A page has a path without query. That of a start URL has no token.
type page struct {
	Path   string
	Status int
}

// runs is behind the name of the record in that of a file which is there while a visitor runs.
const runs = "-runs-"

// visitAsTold is the program in BROWSER. What it prints must get nowhere.
func visitAsTold(file string, args []string) (code int) {
	fmt.Println(`{"jsonrpc":"2.0","method":"notifications/browser"}`)
	fmt.Fprintln(os.Stderr, "the browser says something")
	err := func() error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var v visitor
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		running := fmt.Sprint(v.Record, runs, os.Getpid())
		if err := os.WriteFile(running, nil, 0o600); err != nil {
			return err
		}
		defer os.Remove(running)
		seen := visit{Args: args, Env: os.Environ(), Processes: processes()}
		if len(args) == 1 && !v.Stay {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			seen.Pages, _ = v.visit(ctx, args[0]) // what came of it stands there, or a closed door
		}
		return v.add(seen)
	}()
	if err != nil {
		return 1
	}
	return 0
}

// processes returns the command lines of all processes, as Linux shows them to anybody.
func processes() (lines []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && len(line) > 0 { // else the process is gone
			lines = append(lines, strings.TrimRight(strings.ReplaceAll(string(line), "\x00", " "), " "))
		}
	}
	return lines
}

// add adds a visit to the record.
func (v *visitor) add(seen visit) error {
	line, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(v.Record, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// mostHops bounds the redirects of a visit.
const mostHops = 12

// visit goes to an address and on to where it leads.
func (v *visitor) visit(ctx context.Context, address string) ([]page, error) {
	client, err := v.client()
	if err != nil {
		return nil, err
	}
	var pages []page
	first := address
	for n := 0; n < mostHops && address != ""; n++ {
		p, next, err := v.get(ctx, client, address)
		if err != nil {
			return pages, err
		}
		pages = append(pages, p)
		if n == 0 && v.Twice {
			if p, _, err = v.get(ctx, client, first); err != nil {
				return pages, err
			}
			pages = append(pages, p)
		}
		address = next
	}
	return pages, nil
}

func (v *visitor) client() (*http.Client, error) {
	text, err := os.ReadFile(v.Authority)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(text)
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &http.Client{
		Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// get asks for a page. Next is where it leads, or empty.
func (v *visitor) get(ctx context.Context, client *http.Client, address string) (p page, next string, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page{}, "", err
	}
	request.Header.Set("X-User", v.User)
	response, err := client.Do(request)
	if err != nil {
		return page{}, "", err
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	p = page{request.URL.Path, response.StatusCode}
	if strings.HasPrefix(p.Path, "/start/") {
		p.Path = "/start/…"
	}
	if to, err := response.Location(); err == nil {
		next = to.String()
	}
	return p, next, nil
}

// recorded reads the record.
func (v *visitor) recorded() ([]visit, error) {
	text, err := os.ReadFile(v.Record)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var all []visit
	for d := json.NewDecoder(strings.NewReader(string(text))); err == nil && d.More(); {
		var seen visit
		if err = d.Decode(&seen); err == nil {
			all = append(all, seen)
		}
	}
	return all, err
}
