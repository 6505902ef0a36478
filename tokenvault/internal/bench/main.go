// Command bench prints how long the operations of a vault take, in multiples of a
// read and of a write.
//
//	go -C tokenvault run ./internal/bench [-dir DIRECTORY] [-rounds 200] [-keychain]
//
// The operations take turns, in another order each time, and each figure is a median:
// so a ratio says something on a busy machine too, a time does not. With -keychain there are calls of the
// keychain of the system as well; they write an item and remove it again.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"time"
)

// An operation is done once in each round.
type operation struct {
	name string
	do   func(ctx context.Context) error
	took []time.Duration
}

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "", "`directory` on the disk that is measured; default: the one for temporary files")
	rounds := flag.Int("rounds", 200, "how often each operation is done")
	withKeychain := flag.Bool("keychain", false, "measure the keychain of the system too")
	flag.Parse()
	if err := measure(context.Background(), *dir, *rounds, *withKeychain); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context, dir string, rounds int, withKeychain bool) error {
	r, err := newRig(ctx, dir)
	if err != nil {
		return err
	}
	defer r.close()
	all := r.operations()
	if withKeychain {
		calls, remove := keychainCalls()
		defer remove()
		all = append(all, calls...)
	}
	for _, o := range all { // what the others find in their first round
		if err := o.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	for range rounds {
		for _, i := range rand.Perm(len(all)) { // each is as often behind a slow one as the others
			if err := all[i].time(ctx); err != nil {
				return fmt.Errorf("%s: %w", all[i].name, err)
			}
		}
	}
	fmt.Printf("%s %s/%s, %d processors, medians of %d\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), rounds)
	fmt.Print(table(all))
	return nil
}

func (o *operation) time(ctx context.Context) error {
	begun := time.Now()
	err := o.do(ctx)
	o.took = append(o.took, time.Since(begun))
	return err
}

// table has a row for each operation. The columns of ratios are in multiples of the
// operations with these names.
func table(all []*operation) string {
	read, write := median(all, readBase), median(all, writeBase)
	var text strings.Builder
	fmt.Fprintf(&text, "| %-50s | %10s | %8s | %8s |\n|%s|%s:|%s:|%s:|\n", "operation", "median", "reads", "writes",
		dashes(52), dashes(11), dashes(9), dashes(9))
	for _, o := range all {
		m := median(all, o.name)
		fmt.Fprintf(&text, "| %-50s | %10v | %8s | %8s |\n", o.name, m.Round(time.Microsecond), ratio(m, read), ratio(m, write))
	}
	return text.String()
}

func median(all []*operation, name string) time.Duration {
	i := slices.IndexFunc(all, func(o *operation) bool { return o.name == name })
	if i < 0 || len(all[i].took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all[i].took))
	return sorted[len(sorted)/2]
}

func ratio(m, base time.Duration) string {
	if base == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g×", float64(m)/float64(base))
}

func dashes(n int) string { return strings.Repeat("-", n) }
