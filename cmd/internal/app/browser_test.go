package app

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A visit is what a browser writes down of itself.
type visit struct {
	Args, Env []string
	Files     map[string]string // what its descriptors lead to, on Linux
	Page      string
}

// browse opens the URL that it was given, as a browser does: it follows every redirect.
func browse(report string) int {
	v := visit{Args: os.Args[1:], Env: os.Environ(), Files: map[string]string{}}
	fds, _ := filepath.Glob("/proc/self/fd/*") // one of them is that of the look, and leads nowhere by now
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil {
			v.Files[filepath.Base(fd)] = to
		}
	}
	roots := x509.NewCertPool()
	ca, _ := os.ReadFile(os.Getenv("TRESTLE_TEST_CA"))
	roots.AppendCertsFromPEM(ca)
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	page, err := client.Get(os.Args[1])
	if err != nil {
		v.Page = err.Error()
	} else {
		text, _ := io.ReadAll(page.Body)
		v.Page = string(text)
	}
	text, _ := json.Marshal(v)
	begun, done := fmt.Sprint(report, "+", os.Getpid()), fmt.Sprint(report, ".", os.Getpid())
	if os.WriteFile(begun, text, 0o600) != nil || os.Rename(begun, done) != nil {
		return 1
	}
	return 0
}

// visits waits until n browsers have written down what they did.
func (p *person) visits(t *testing.T, n int) []visit {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		reports, err := filepath.Glob(p.report + ".*")
		if err != nil {
			t.Fatal(err)
		}
		if len(reports) < n {
			continue
		}
		all := make([]visit, len(reports))
		for i, report := range reports {
			text, err := os.ReadFile(report)
			if err == nil {
				err = json.Unmarshal(text, &all[i])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	t.Fatalf("no %d browsers were opened", n)
	return nil
}

// variable returns what a variable of an environment holds.
func variable(env []string, name string) string {
	for _, v := range env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}
