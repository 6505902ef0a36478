//go:build goexperiment.jsonv2

package jsonrpc

import (
	"bytes"
	"encoding/json/jsontext"
	"io"
	"testing"
)

// The scan takes as JSON what jsontext takes, which is as strict.
func FuzzJSONText(f *testing.F) {
	addLines(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 || bytes.HasPrefix(line, []byte(byteOrderMark)) {
			t.Skip("more than one line, or a byte order mark")
		}
		d := jsontext.NewDecoder(bytes.NewReader(line), jsontext.AllowDuplicateNames(true))
		err := d.SkipValue()
		if err == nil {
			if _, err = d.ReadToken(); err == io.EOF {
				err = nil
			} else if err == nil {
				err = io.ErrUnexpectedEOF // more than one value
			}
		}
		_, ours := Parse(line, &ReaderOptions{MaxDepth: 512})
		switch fault := faultOf(ours); {
		case fault == FaultTooDeep:
		case (fault == FaultSyntax) != (err != nil):
			t.Errorf("Parse(%q) = %v, jsontext says %v", line, ours, err)
		}
	})
}
