package official

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// parse reads a line as one JSON object in which no name stands twice.
func parse(line []byte) (map[string]any, error) {
	if !utf8.Valid(line) {
		return nil, errors.New("not UTF-8")
	}
	if bytes.ContainsRune(line, '\r') {
		return nil, errors.New("a carriage return in the line")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	frame, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	if err := uniqueNames(json.NewDecoder(bytes.NewReader(line))); err != nil {
		return nil, err
	}
	return frame, nil
}

// uniqueNames reads one value.
func uniqueNames(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	seen := map[any]bool{}
	for dec.More() {
		if open == '{' {
			name, err := dec.Token()
			if err != nil {
				return err
			}
			if seen[name] {
				return fmt.Errorf("the member %q stands twice", name)
			}
			seen[name] = true
		}
		if err := uniqueNames(dec); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// idOf returns the id of a frame as a key. A string and a number differ.
func idOf(frame map[string]any) (string, bool) {
	id, ok := frame["id"]
	return fmt.Sprintf("%T %v", id, id), ok
}

// modernMembers are those that a result, or the params of a message, has in
// 2026-07-28 only, and modernMeta are the names of its _meta that are for the
// server's own peer.
var (
	modernMembers = []string{"resultType", "ttlMs", "cacheScope", "inputRequests", "requestState", "inputResponses", "supportedVersions"}
	modernMeta    = []string{"serverInfo", "subscriptionId", "protocolVersion", "clientInfo", "clientCapabilities", "logLevel"}
)

// Leaks returns the members of 2026-07-28 that stand at the top of the result or
// the params in line, or in the _meta there. No earlier revision forbids unknown
// members, so its schema does not tell.
func Leaks(line []byte) []string {
	var frame struct{ Result, Params map[string]json.RawMessage }
	if json.Unmarshal(line, &frame) != nil {
		return nil
	}
	var found []string
	for _, object := range []map[string]json.RawMessage{frame.Result, frame.Params} {
		for _, name := range modernMembers {
			if _, ok := object[name]; ok {
				found = append(found, name)
			}
		}
		var meta map[string]json.RawMessage
		json.Unmarshal(object["_meta"], &meta) // what is not an object has no members
		for _, name := range modernMeta {
			if _, ok := meta["io.modelcontextprotocol/"+name]; ok {
				found = append(found, "_meta."+name)
			}
		}
	}
	slices.Sort(found)
	return found
}
