package tokenvault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault"
)

const (
	adders    = 8
	additions = 40
)

// add counts up the number in a record, by Put and by Refresh in turn, and tries again when
// another process was first.
func add(p player) error {
	for i := range times(additions) {
		step := increment
		if i%2 == 1 {
			step = incrementByRefresh
		}
		for {
			done, err := step(p, p.vault)
			if err != nil {
				return err
			}
			if done {
				break
			}
		}
	}
	return nil
}

// increment counts the number up by one, unless another process was first.
func increment(ctx context.Context, v *tokenvault.Vault) (bool, error) {
	e, err := v.Get(ctx, alice)
	if err != nil {
		return false, err
	}
	_, err = v.Put(ctx, alice, plusOne(e), tokenvault.PutOptions{When: tokenvault.IfRevision(e.Rev)})
	if errors.Is(err, tokenvault.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

func incrementByRefresh(ctx context.Context, v *tokenvault.Vault) (bool, error) {
	e, err := v.Get(ctx, alice)
	if err != nil {
		return false, err
	}
	_, adopted, err := v.Refresh(ctx, alice, e.Rev,
		func(_ context.Context, e tokenvault.Entry) (tokenvault.Secret, time.Time, error) {
			return plusOne(e), time.Time{}, nil
		})
	return !adopted, err
}

// number returns the number in a record. What is behind it makes the record longer.
func number(e tokenvault.Entry) int {
	text, _, _ := strings.Cut(e.Value.Expose(), " ")
	return atoi(text)
}

// atoi returns -1 for what is no number.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

func plusOne(e tokenvault.Entry) tokenvault.Secret {
	n := number(e) + 1
	return tokenvault.NewSecret(fmt.Appendf(nil, "%d %s", n, strings.Repeat("x", 997*n%5000)))
}

// Processes that count up one number lose nothing.
//
// req: V07
func TestThreat25LostUpdate(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	put(t, v, alice, "0")
	for _, p := range startAll(t, adders, "adder", c.Dir) {
		p.ends()
	}
	if got := number(get(t, v, alice)); got != adders*times(additions) {
		t.Errorf("the number is %d, want %d", got, adders*times(additions))
	}
}

// writeOn counts up until it is killed, and says each number that is stored.
func writeOn(p player) error {
	for i := 0; ; i++ {
		step := increment
		if i%2 == 1 {
			step = incrementByRefresh
		}
		if done, err := step(p, p.vault); err != nil || !done {
			return errors.Join(err, errors.New("somebody else was first"))
		}
		e, err := p.vault.Get(p, alice)
		if err != nil {
			return err
		}
		fmt.Println(number(e))
	}
}

const kills = 500

// A process that is killed at any moment leaves a record that can be read, none older
// than the last one it has told of, and no lock.
//
// req: V08
func TestThreat17Killed(t *testing.T) {
	c := fileConfig(newDir(t))
	v := open(t, c)
	put(t, v, alice, "0")
	told := 0 // the newest number that somebody knows to be stored
	next := startProcess(t, "writer", c.Dir)
	for range times(kills) {
		writer := next
		writer.order("begin")
		next = startProcess(t, "writer", c.Dir) // starting takes longer than all else
		for range rand.N(3) {
			told = atoi(writer.says())
		}
		time.Sleep(rand.N(8 * time.Millisecond)) // any moment of a write or two
		_ = writer.Process.Kill()
		told = max(told, writer.lastWord())
		e := get(t, v, alice)
		if got := number(e); got < told {
			t.Fatalf("the record is %d, and %d was told", got, told)
		}
		if done, err := increment(patient(t), v); err != nil || !done {
			t.Fatalf("writing after it: %v, %v", done, err)
		}
		told = number(get(t, v, alice))
	}
	next.kill()
	checkNothingIsLeft(t, c)
}

// lastWord returns the last number that a killed process has said, or -1.
func (p *process) lastWord() int {
	rest, err := io.ReadAll(p.out)
	_ = p.Wait()
	if err != nil && !errors.Is(err, os.ErrClosed) {
		p.t.Fatal(err)
	}
	if p.stderr.Len() > 0 {
		p.t.Fatalf("it had ended before: %s", &p.stderr)
	}
	lines := strings.Split(string(rest), "\n")
	for i := len(lines) - 2; i >= 0; i-- { // the last one is not whole
		if n := atoi(lines[i]); n >= 0 {
			return n
		}
	}
	return -1
}

// checkNothingIsLeft makes the temps of killed writers old, and has them swept.
func checkNothingIsLeft(t *testing.T, c tokenvault.Config) {
	t.Helper()
	pattern := filepath.Join(c.Dir, "kf", "t-*")
	left, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d temps were left by %d killed writers", len(left), times(kills))
	old := time.Now().Add(-2 * time.Hour)
	for _, path := range left {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	again := open(t, c)
	if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
		t.Errorf("%d temps after the sweep, %v", len(left), err)
	}
	if s := again.Status(); s.Records != 1 || s.Foreign != 0 {
		t.Errorf("%d records and %d foreign files, want the record", s.Records, s.Foreign)
	}
}
