package tokenvault

import (
	"maps"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

func revisionOf(r seal.Record) Revision { return Revision{r.Counter, r.Incarnation} }

// entryOf copies the value, which is then wiped by who has read it.
func entryOf(r seal.Record) Entry {
	return Entry{
		ID: ID(r.ID), Rev: revisionOf(r), SavedAt: r.SavedAt, ExpiresAt: r.ExpiresAt,
		Label: r.Label, Meta: maps.Clone(r.Meta), Value: NewSecret(r.Value),
	}
}

func infoOf(r seal.Record) Info {
	return Info{
		ID: ID(r.ID), Rev: revisionOf(r), SavedAt: r.SavedAt, ExpiresAt: r.ExpiresAt,
		Label: r.Label, Meta: maps.Clone(r.Meta),
	}
}

// own returns an entry that shares nothing with e.
func (e Entry) own() Entry {
	e.Meta = maps.Clone(e.Meta)
	e.Value = NewSecret(e.Value.held())
	return e
}

// check returns ErrConflict where the condition does not hold for the record that
// is there.
func (c Cond) check(there seal.Record) error {
	rev := revisionOf(there)
	if c.kind == ifAbsent || c.kind == ifRevision && c.rev != rev {
		return &Error{Err: ErrConflict, Current: rev}
	}
	return nil
}
