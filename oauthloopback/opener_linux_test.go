package oauthloopback

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leadsSession reads the session from the sixth field of stat, behind the name.
func leadsSession() bool {
	stat, _ := os.ReadFile("/proc/self/stat")
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	pid, _ := os.Readlink("/proc/self")
	return fields[3] == pid
}

// openFiles are the descriptors of this process.
func openFiles() map[string]string {
	out := map[string]string{}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		out[e.Name()], _ = os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
	}
	return out
}

// req: S01
func TestSystemOpenersOfLinux(t *testing.T) {
	for _, tt := range []struct {
		name string
		wsl  bool
		env  []string
		want []string
	}{
		{"no display", false, []string{"HOME=/root"}, nil},
		{"empty display", false, []string{"DISPLAY="}, nil},
		{"a display that was taken back", false, []string{"DISPLAY=:0", "DISPLAY="}, nil},
		{"X", false, []string{"DISPLAY=:0"}, []string{"xdg-open"}},
		{"Wayland", false, []string{"WAYLAND_DISPLAY=wayland-0"}, []string{"xdg-open"}},
		{"another variable", false, []string{"XDISPLAY=:0", "DISPLAY_=1"}, nil},
		{"WSL", true, nil, []string{"wslview", "xdg-open"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := openersOf(tt.wsl, tt.env); !slices.Equal(got, tt.want) {
				t.Errorf("openersOf(%v, %q) = %q, want %q", tt.wsl, tt.env, got, tt.want)
			}
		})
	}
	for release, want := range map[string]bool{"5.15.167.4-microsoft-standard-WSL2": true, "4.4.0-19041-Microsoft": true, "6.18.0-generic": false} {
		if got := underWSL(release); got != want {
			t.Errorf("underWSL(%q) = %v, want %v", release, got, want)
		}
	}
}
