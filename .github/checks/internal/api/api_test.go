package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

const sample = `package p

// Kind is documented.
type Kind uint8

const (
	KindA Kind = iota
	KindB
	hidden
)

const Limit = 64 << 20

var ErrGone, errOwn = f()

type Span struct {
	Off, End int // absolute
	inner    bool
	*Base
}

type Sink interface {
	Accept(m *Span) error
	own()
}

type List[T any] []T

type Same = Span

func New(a, b int, o *Span) (*Span, error)
func (s *Span) Len() int
func (s *span) Len() int
func (l List[T]) First() T
`

func TestLines(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", sample, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"pkg p, const KindA Kind = iota",
		"pkg p, const KindB Kind",
		"pkg p, const Limit = 64 << 20",
		"pkg p, func New(int, int, *Span) (*Span, error)",
		"pkg p, method (*Span) Len() int",
		"pkg p, method (List[T]) First() T",
		"pkg p, type Kind uint8",
		"pkg p, type List[T any] []T",
		"pkg p, type Same = Span",
		"pkg p, type Sink interface, Accept(*Span) error",
		"pkg p, type Sink interface, unexported methods",
		"pkg p, type Span struct",
		"pkg p, type Span struct, End int",
		"pkg p, type Span struct, Off int",
		"pkg p, type Span struct, embedded *Base",
		"pkg p, var ErrGone",
	}
	got := Lines("p", fset, []*ast.File{f, f})
	for _, l := range got {
		if !slices.Contains(want, l) {
			t.Errorf("Lines gives %q, want no such line", l)
		}
	}
	for _, l := range want {
		if !slices.Contains(got, l) {
			t.Errorf("Lines lacks %q", l)
		}
	}
	if !slices.IsSorted(got) || len(got) != len(want) {
		t.Errorf("Lines gives %d lines, sorted %v, want %d sorted", len(got), slices.IsSorted(got), len(want))
	}
}
