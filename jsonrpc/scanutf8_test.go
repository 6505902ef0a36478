package jsonrpc

import (
	"testing"
	"unicode/utf8"
)

// Every character passes, and every sequence of up to four bytes is judged as
// the standard library does.
func TestRunesAgreesWithTheStandardLibrary(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		b := utf8.AppendRune(nil, r)
		if got := runes(b); got != len(b) {
			t.Fatalf("runes(%x) = %d, want %d", b, got, len(b))
		}
	}
	edges := []byte{0x00, 0x1f, ' ', '"', 'a', '\\', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
		0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, d := range edges {
					s := []byte{a, b, c, d}
					if got, want := runes(s), slowRunes(s); got != want {
						t.Fatalf("runes(%x) = %d, want %d", s, got, want)
					}
					long := append([]byte("äöü....."), s...)
					if got, want := runes(long), slowRunes(long); got != want {
						t.Fatalf("runes(%x) = %d, want %d", long, got, want)
					}
				}
			}
		}
	}
}

func slowRunes(b []byte) int {
	i := 0
	for i < len(b) && (b[i] >= utf8.RuneSelf || plain(b[i])) {
		_, n := utf8.DecodeRune(b[i:])
		switch {
		case b[i] >= utf8.RuneSelf && n == 1 && utf8.FullRune(b[i:]):
			return -1
		case b[i] >= utf8.RuneSelf && n == 1:
			return i
		}
		i += n
	}
	return i
}

// The word at a time marks the first byte that is not plain, and only such.
func TestSpecial(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			x := uint64(lowBits*'a') &^ (0xff << (8 * at))
			x |= uint64(c) << (8 * at)
			want := uint64(0)
			if !plain(byte(c)) {
				want = 0x80 << (8 * at)
			}
			if got := special(x); got&(want-1) != 0 || got&want != want || want == 0 && got != 0 {
				t.Errorf("special(%x) = %x", x, got)
			}
		}
	}
}
