package tokenvault

import (
	"context"

	"github.com/trestle-mcp/trestle/tokenvault/internal/seal"
)

// A shelf is where records lie: sealed files, or the memory of this process. It
// knows no conditions, no revisions and no refresh; those are the Vault's.
type shelf interface {
	// hold takes the lock of a record, which keeps other processes out too. The
	// errors are those of package lock.
	hold(ctx context.Context, id seal.ID) (release func(), err error)

	// read returns the record, or fault.ErrNotFound. The value is the caller's.
	read(ctx context.Context, id seal.ID) (seal.Record, error)

	// write puts the record in the place of the one before it.
	write(r seal.Record) error

	// reserve makes sure of the space that the next version of r will need.
	reserve(r seal.Record) (room, error)

	remove(id seal.ID) error
	list(ctx context.Context) ([]listed, error)
	fill(s *Status)
	close() error
}

// A room is reserved space. It is taken by commit, or given back by drop, which
// after a commit does nothing.
type room interface {
	commit(r seal.Record) error
	drop()
}

// A listed is a record, or why it cannot be read.
type listed struct {
	record seal.Record
	err    error
}
