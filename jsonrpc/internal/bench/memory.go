package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trestle-mcp/trestle/jsonrpc"
)

const (
	bigLine = 64 << 20
	idle    = 30 * time.Second
	mib     = 1 << 20
)

// A big is an input of 64 MiB and its name.
type big struct {
	name       string
	head, part string
	tail       string
}

var bigs = []big{
	{"text in one string", `{"jsonrpc":"2.0","id":1,"result":{"t":"`, strings.Repeat("x", 1024), `"}}`},
	{"64 MiB of 1,", `{"jsonrpc":"2.0","id":1,"result":[`, strings.Repeat("1,", 512), `1]}`},
	{"brackets", "", strings.Repeat("[", 1024), ""},
	{"over the limit", `{"jsonrpc":"2.0","id":1,"result":{"t":"`, strings.Repeat("x", 1024) + strings.Repeat("y", 1024), `"}}`},
}

func (b big) writeTo(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	io.WriteString(out, b.head)
	for range bigLine/1024 - 1 {
		io.WriteString(out, b.part)
	}
	io.WriteString(out, b.tail+"\n")
	return out.Flush()
}

// memory is the target for what a big line takes and for what stays of it.
func memory() bool {
	if runtime.GOOS != "linux" {
		note("left out: this needs Linux")
		return true
	}
	held := true
	for _, b := range bigs {
		inTemp(func(dir string) {
			name := filepath.Join(dir, "profile")
			f := measure(b, name)
			const most = 1.25*bigLine/mib + 12
			why := memProfile("alloc_space", name)
			held = target(f.peak <= most, why, "T8 %-18s peak %.1f MiB, want %.0f", b.name, f.peak, most) && held
			why = memProfile("inuse_space", name)
			held = target(f.idle <= 1.5*f.start, why, "T8 %-18s %.1f MiB at the start, %.1f after %v idle, want %.1f",
				b.name, f.start, f.idle, idle, 1.5*f.start) && held
		})
	}
	return held
}

// A footprint is the resident memory of a process in MiB: at its start, at its peak,
// and when it was idle for a while, and how much of that is free memory which the
// runtime did not return.
type footprint struct{ start, peak, idle, free float64 }

// measure has a process of its own read two such lines. It leaves a profile of its
// memory in a file.
func measure(b big, file string) (f footprint) {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	cmd := exec.Command(self, "-child", file)
	in, err := cmd.StdinPipe()
	if err != nil {
		log.Fatal(err)
	}
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	for range 2 {
		if err := b.writeTo(in); err != nil {
			log.Fatal(err)
		}
	}
	time.Sleep(idle)
	in.Close()
	if err := cmd.Wait(); err != nil {
		log.Fatalf("%v\n%s", err, &stderr)
	}
	if _, err := fmt.Sscan(out.String(), &f.start, &f.peak, &f.idle); err != nil {
		log.Fatalf("%v in %q", err, &out)
	}
	return f
}

// beMeasured reads lines, sends them on, and prints its footprint.
func beMeasured(file string) {
	src := &waiting{footprint: footprint{start: status("VmRSS")}, file: file}
	r := jsonrpc.NewReader(src, nil)
	w := jsonrpc.NewWriter(io.Discard)
	for {
		m, err := r.Read()
		if _, bad := errors.AsType[*jsonrpc.LineError](err); bad {
			continue
		}
		if err != nil {
			break
		}
		if err := w.Write(m, []jsonrpc.Edit{{Off: m.ID.Off, Cut: m.ID.Len(), Insert: []byte("2")}}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(src.start, src.peak, src.idle)
}

// waiting reads the standard input and looks at the memory when it ends, before the
// reader learns of it.
type waiting struct {
	footprint
	file string
}

func (w *waiting) Read(b []byte) (int, error) {
	n, err := os.Stdin.Read(b)
	if err != nil {
		w.idle, w.peak = status("VmRSS"), status("VmHWM")
		file := create(w.file)
		defer file.Close()
		writeHeap(file)
	}
	return n, err
}

// status returns a figure of this process in MiB.
func status(name string) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		log.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	var kib float64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		log.Fatal(err)
	}
	return kib / 1024
}
