package child

import (
	"bytes"
	"os"
	"strconv"
)

// onlyZombies reports whether every process of the group has ended, and only waits
// for a parent that asks for its status. In a container there may be none that does.
func onlyZombies(group int) bool {
	names, err := procNames()
	if err != nil {
		return false
	}
	found := false
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state parent group …; the name can hold anything
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		if state := fields[0][0]; state != 'Z' && state != 'X' {
			return false
		}
		found = true
	}
	return found
}

func procNames() ([]string, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer proc.Close()
	return proc.Readdirnames(-1)
}
