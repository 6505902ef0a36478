package dir

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// longAfter is when no temp of now can still be in use.
func longAfter() time.Time { return time.Now().Add(24 * time.Hour) }

func age(t *testing.T, d *Dir, name string, now time.Time, age time.Duration) {
	t.Helper()
	if err := d.Touch(name); err != nil {
		t.Fatal(err)
	}
	made := now.Add(-age)
	if err := os.Chtimes(filepath.Join(d.path, name), made, made); err != nil {
		t.Fatal(err)
	}
}

// The sweep removes old temps, and nothing else.
func TestThreat22Sweep(t *testing.T) {
	d := newDir(t)
	now := time.Now().Truncate(time.Second)
	for i := range 50 {
		age(t, d, fmt.Sprintf("t-%016x", i), now, time.Hour+time.Second)
	}
	keep := []string{"t-00000000000000ff", "t-00000000000000fe"}
	age(t, d, keep[0], now, time.Minute)
	age(t, d, keep[1], now, time.Hour)
	foreign := []string{
		record, "vault", "l-vault", "t-", "t-0", "t-00000000000000000", "t-000000000000000g", "t-ABCDEF0000000000",
		"t-000000000000000.", "x-0000000000000000", "0000000000000000",
	}
	for _, name := range foreign {
		age(t, d, name, now, 1000*time.Hour)
	}
	if err := d.Sweep(now); err != nil {
		t.Fatal(err)
	}
	names, err := d.Names()
	if err != nil || len(names) != len(keep)+len(foreign) {
		t.Errorf("%d names are left, %v, want the %d that are young or no temps", len(names), err, len(keep)+len(foreign))
	}
	for _, name := range append(keep, foreign...) {
		if _, err := d.root.Lstat(name); err != nil {
			t.Errorf("%s is gone", name)
		}
	}
}

// A clock that was set back makes temps of the future: they stay until it has come
// to them, and an hour.
func TestThreat24SweepWithAClockSetBack(t *testing.T) {
	d := newDir(t)
	now := time.Now()
	age(t, d, "t-0000000000000000", now, -48*time.Hour)
	for _, later := range []time.Duration{-1000 * time.Hour, 0, 48 * time.Hour} {
		if err := d.Sweep(now.Add(later)); err != nil {
			t.Fatal(err)
		}
		if len(temps(t, d)) != 1 {
			t.Fatalf("swept %v after now", later)
		}
	}
	if err := d.Sweep(now.Add(50 * time.Hour)); err != nil || len(temps(t, d)) != 0 {
		t.Errorf("not swept at last: %v", err)
	}
}
