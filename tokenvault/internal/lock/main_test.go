package lock

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trestle-mcp/trestle/tokenvault/internal/dir"
	"github.com/trestle-mcp/trestle/tokenvault/internal/reexec"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(reexec.Role); role != "" {
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play is what the other processes of these tests do. The argument is the directory
// of the locks.
func play(role string) error {
	if role == "child" {
		return sayAndWait("up")
	}
	d, err := dir.Open(os.Args[1])
	if err != nil {
		return err
	}
	l, err := New(d)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), reexec.Patience)
	defer cancel()
	switch role {
	case "holder", "parent":
		release, err := l.Stripe(ctx, 7)
		if err != nil {
			return err
		}
		defer release()
		if role == "parent" {
			return parent()
		}
		return sayAndWait("held")
	case "adder":
		return add(ctx, d, l)
	}
	return fmt.Errorf("no role %q", role)
}

// sayAndWait says a word and ends with its input.
func sayAndWait(word string) error {
	fmt.Println(word)
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// parent starts a child that outlives it, and tells when the child is up.
func parent() error {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(cmd.Environ(), reexec.Role+"=child")
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(reexec.Patience) // until it is killed
	return nil
}

const (
	adders    = 8
	additions = 40
)

// add counts up a number in a file, under a lock.
func add(ctx context.Context, d *dir.Dir, l *Locks) error {
	for range additions {
		release, err := l.Stripe(ctx, 7)
		if err != nil {
			return err
		}
		text, err := d.Read("number")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(text))
		if err != nil {
			return err
		}
		if err := d.Write("number", []byte(strconv.Itoa(n+1))); err != nil {
			return err
		}
		release()
	}
	return nil
}
