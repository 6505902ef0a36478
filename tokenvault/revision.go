package tokenvault

// A Revision names one version of a record. Two are the same version if they are
// equal. A record that was deleted and made again never has a revision of before.
type Revision struct {
	counter     uint64
	incarnation [8]byte
}

// A Cond says when a write happens. The zero Cond is Always.
type Cond struct {
	kind condKind
	rev  Revision
}

type condKind uint8

const (
	always condKind = iota
	ifAbsent
	ifRevision
)

// Always holds whatever is there.
var Always = Cond{}

// IfAbsent holds where there is no record.
var IfAbsent = Cond{kind: ifAbsent}

// IfRevision holds where the record has this revision.
func IfRevision(rev Revision) Cond { return Cond{ifRevision, rev} }
