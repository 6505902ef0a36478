// Package exchange takes a recorded front wire apart into exchanges, so that the
// same client in front of two servers can be compared.
package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trestle-mcp/trestle/conformance/internal/compare"
	"github.com/trestle-mcp/trestle/conformance/internal/wire"
)

// A Difference is one between two servers that the same client has used.
type Difference struct {
	// Exchange is a request of the client, by its method, what it is for, and a
	// number where the same comes again; or changes, for what comes at no request.
	Exchange string

	// Path is that of a value: in asks, what the server asked; in says, what it told,
	// by its method; in answer; or order, in which these came. A value below one that
	// only one server has is not listed. The order of questions is not compared: a
	// server may ask several at a time.
	Path string

	A, B string // as [compare.Flatten] has them
}

// Compare returns how the exchanges of two records differ.
func Compare(a, b []wire.Record) ([]Difference, error) {
	x, err := read(a)
	if err != nil {
		return nil, err
	}
	y, err := read(b)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(x)
	maps.Copy(names, y)
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		flatA, err := flatten(x[name])
		if err != nil {
			return nil, err
		}
		flatB, err := flatten(y[name])
		if err != nil {
			return nil, err
		}
		for _, d := range topmost(compare.Differences(flatA, flatB)) {
			all = append(all, Difference{Exchange: name, Path: d.Path, A: d.A, B: d.B})
		}
	}
	return all, nil
}

// topmost leaves out what is below a value that one side does not have. Differences
// come in the order of their paths.
func topmost(all []compare.Difference) []compare.Difference {
	absent := map[string]bool{}
	for _, d := range all {
		if d.A == compare.Absent || d.B == compare.Absent {
			absent[d.Path] = true
		}
	}
	return slices.DeleteFunc(all, func(d compare.Difference) bool {
		if absent[""] && d.Path != "" {
			return true
		}
		for i, c := range d.Path {
			if (c == '.' || c == '[') && absent[d.Path[:i]] {
				return true
			}
		}
		return false
	})
}

// An exchange is what a server sent on a request.
type exchange struct {
	Asks   []*ask                       `json:"asks"`
	Says   map[string][]json.RawMessage `json:"says"` // params by method
	Answer *answer                      `json:"answer,omitempty"`
	Order  string                       `json:"order"`
}

type ask struct {
	ID     string         `json:"id"` // its kind
	Method string         `json:"method"`
	Params map[string]any `json:"params,omitempty"`
}

type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

func flatten(e *exchange) (map[string]string, error) {
	if e == nil {
		return nil, nil
	}
	slices.SortStableFunc(e.Asks, func(a, b *ask) int {
		return cmp.Or(cmp.Compare(a.Method, b.Method), cmp.Compare(fmt.Sprint(a.Params["message"]), fmt.Sprint(b.Params["message"])))
	})
	raw, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	return compare.Flatten(raw)
}

type frame struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// A reader sorts the lines of a record into exchanges.
type reader struct {
	all   map[string]*exchange
	open  []string          // names of exchanges without an answer, in their order
	names map[string]string // by raw id of the request
	count map[string]int
}

func read(records []wire.Record) (map[string]*exchange, error) {
	r := reader{all: map[string]*exchange{}, names: map[string]string{}, count: map[string]int{}}
	for _, rec := range records {
		if rec.End {
			continue
		}
		var f frame
		if err := json.Unmarshal(rec.Raw(), &f); err != nil {
			return nil, fmt.Errorf("exchange %s: %w", rec.Raw(), err)
		}
		var err error
		if rec.Dir == wire.ToServer {
			err = r.client(f)
		} else {
			err = r.server(f)
		}
		if err != nil {
			return nil, fmt.Errorf("exchange %s: %w", rec.Raw(), err)
		}
	}
	return r.all, nil
}

func (r *reader) client(f frame) error {
	if f.Method == "" || f.ID == nil {
		return nil
	}
	var p struct{ Name, URI string }
	if len(f.Params) > 0 {
		if err := json.Unmarshal(f.Params, &p); err != nil {
			return err
		}
	}
	name := strings.TrimSpace(f.Method + " " + p.Name + p.URI)
	if r.count[name]++; r.count[name] > 1 {
		name = fmt.Sprint(name, " ", r.count[name])
	}
	r.names[string(f.ID)] = name
	r.all[name] = newExchange()
	r.open = append(r.open, name)
	return nil
}

func (r *reader) server(f frame) error {
	if f.Method == "" {
		name, ok := r.names[string(f.ID)]
		if !ok {
			return errors.New("answers nothing")
		}
		r.open = slices.DeleteFunc(r.open, func(open string) bool { return open == name })
		e := r.all[name]
		e.Answer = &answer{f.Result, f.Error}
		e.came("answer")
		return nil
	}
	if strings.HasSuffix(f.Method, "list_changed") || f.Method == "notifications/resources/updated" {
		r.changed(f)
		return nil
	}
	if len(r.open) == 0 {
		return errors.New("at no request")
	}
	e := r.all[r.open[0]]
	if f.ID == nil {
		e.came(f.Method)
		e.Says[f.Method] = append(e.Says[f.Method], f.Params)
		return nil
	}
	e.came("questions")
	a := &ask{ID: kind(f.ID), Method: f.Method}
	if len(f.Params) > 0 {
		if err := json.Unmarshal(f.Params, &a.Params); err != nil {
			return err
		}
	}
	hideNames(a.Params)
	e.Asks = append(e.Asks, a)
	return nil
}

// changed adds a change: what has changed is compared, not how often and when.
func (r *reader) changed(f frame) {
	const changes = "changes"
	if r.all[changes] == nil {
		r.all[changes] = newExchange()
	}
	says := r.all[changes].Says
	if !slices.ContainsFunc(says[f.Method], func(s json.RawMessage) bool { return bytes.Equal(s, f.Params) }) {
		says[f.Method] = append(says[f.Method], f.Params)
	}
}

func newExchange() *exchange {
	return &exchange{Asks: []*ask{}, Says: map[string][]json.RawMessage{}}
}

// came adds to the order. What comes again right away counts once.
func (e *exchange) came(what string) {
	if e.Order == what || strings.HasSuffix(e.Order, ", "+what) {
		return
	}
	e.Order = strings.TrimPrefix(e.Order+", "+what, ", ")
}

// hideNames puts the kind in the place of what a server chooses at will.
func hideNames(params map[string]any) {
	if _, ok := params["elicitationId"].(string); ok {
		params["elicitationId"] = "a string"
	}
	meta, _ := params["_meta"].(map[string]any)
	if _, ok := meta["progressToken"]; ok {
		meta["progressToken"] = "a token"
	}
}

func kind(id json.RawMessage) string {
	if id[0] == '"' {
		return "a string"
	}
	return "a number"
}
