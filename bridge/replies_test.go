package bridge

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

// replies is the variable with the file that says what a server in that role does: a
// JSON array with one string for each request that comes. Each line of it is written;
// ID stands for the id of the request. Some lines are orders:
//
//	!stderr TEXT  writes to standard error
//	!exit         ends with status 3
//	!kill         is killed
//	!stop         reads no more, and lives
const replies = "TRESTLE_BRIDGE_REPLIES"

var idOf = regexp.MustCompile(`"id":(\d+)`)

func reply(file string) int {
	var all []string
	script, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(script, &all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return 0
		}
		id := idOf.FindStringSubmatch(line)
		if id == nil || len(all) == 0 {
			continue
		}
		for text := range strings.SplitSeq(all[0], "\n") {
			if order, ok := strings.CutPrefix(text, "!"); ok {
				obey(order)
			} else {
				io.WriteString(os.Stdout, strings.ReplaceAll(text, "ID", id[1])+"\n")
			}
		}
		all = all[1:]
	}
}

func obey(order string) {
	switch name, text, _ := strings.Cut(order, " "); name {
	case "stderr":
		fmt.Fprintln(os.Stderr, text)
	case "exit":
		os.Exit(3)
	case "kill":
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		time.Sleep(patience)
	case "stop":
		time.Sleep(patience)
	}
}
