package fakess

import "time"

// An Answer is what becomes of a dialog.
type Answer int

// The answers of a user, and two things that happen instead.
const (
	Accepts Answer = iota
	Dismisses
	Hangs      // nobody answers
	BusDies    // the bus ends while the dialog is open
	OtherFirst // another signal comes before the answer, which is Accepts
)

// A Script says how a Service departs from one that is there, is unlocked, and does
// what it is told.
type Script struct {
	Locked       bool // the collection is; a dialog unlocks it
	ItemLocked   bool // every item is, in a collection that is not
	NoCollection bool
	AliasOnly    bool // there is no "login", and the alias leads to another

	Dialog        Answer // what becomes of every dialog
	CreateAsks    bool   // CreateItem needs a dialog
	DeleteAsks    bool   // Delete needs a dialog
	CreateLies    bool   // CreateItem says that it has stored, and has not
	CreateChanges bool   // CreateItem stores another value
	WrongSession  bool   // OpenSession names a session that is then not known

	Delay  time.Duration // before every reply
	Silent string        // the method of this name is never answered
}
