package seal

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// The plaintext of a record: the length of the JSON in 4 bytes, the JSON, the length
// of the value in 4 bytes, the value, zeros.

// about is the JSON.
type about struct {
	Service string            `json:"service"`
	Account string            `json:"account"`
	Key     string            `json:"key"`
	Saved   time.Time         `json:"saved_at,omitzero"`
	Expires time.Time         `json:"expires_at,omitzero"`
	Label   string            `json:"label,omitempty"`
	Meta    map[string]string `json:"meta,omitempty"`
}

func (r Record) plaintext() ([]byte, error) {
	about, err := r.about()
	if err != nil {
		return nil, err
	}
	defer wipe(about)
	padded := paddedLen(len(r.Value), len(about))
	text := make([]byte, 0, padded)
	for _, part := range [][]byte{about, r.Value} {
		text = binary.BigEndian.AppendUint32(text, uint32(len(part)))
		text = append(text, part...)
	}
	return text[:padded], nil
}

// Check returns an error that is ErrNotWritable for a record that cannot be sealed.
func (r Record) Check() error {
	about, err := r.about()
	wipe(about)
	return err
}

// about returns the JSON of a record that can be sealed.
func (r Record) about() ([]byte, error) {
	if err := r.ID.Check(); err != nil {
		return nil, err
	}
	ok := plain(r.Label)
	for k, v := range r.Meta {
		ok = ok && plain(k) && plain(v)
	}
	if !ok {
		return nil, fault.New(fault.ErrNotWritable, fault.BadText, nil)
	}
	b, err := json.Marshal(about{
		r.ID.Service, r.ID.Account, r.ID.Key, written(r.SavedAt), written(r.ExpiresAt), r.Label, r.Meta,
	})
	if err != nil {
		return nil, fault.New(fault.ErrNotWritable, fault.BadText, nil)
	}
	if len(r.Value) > MaxValue || len(b) > maxAbout {
		return nil, fault.New(fault.ErrNotWritable, fault.TooLarge, nil)
	}
	return b, nil
}

// written returns the time as it can be written. A server may say that a token is
// good for ten thousand years: then it is good until the last year that there is.
func written(t time.Time) time.Time {
	t = t.UTC()
	switch {
	case t.Year() < 1:
		return time.Time{}
	case t.Year() > 9999:
		return time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	}
	return t
}

// parsePlaintext reads what was sealed. It copies: the text is wiped.
func parsePlaintext(text []byte) (Record, error) {
	head, rest, ok := cut(text)
	value, _, whole := cut(rest)
	var a about
	if !ok || !whole || json.Unmarshal(head, &a) != nil {
		return Record{}, damaged(fault.Corrupt)
	}
	return Record{
		ID: ID{a.Service, a.Account, a.Key}, SavedAt: a.Saved, ExpiresAt: a.Expires,
		Label: a.Label, Meta: a.Meta, Value: append([]byte(nil), value...),
	}, nil
}

// cut returns the part that begins with its length, and what follows.
func cut(text []byte) (part, rest []byte, ok bool) {
	if len(text) < 4 {
		return nil, nil, false
	}
	n := binary.BigEndian.Uint32(text)
	if text = text[4:]; uint64(n) > uint64(len(text)) {
		return nil, nil, false
	}
	return text[:n], text[n:], true
}
