package seal

// Sizes in bytes.
const (
	MaxFile  = 1 << 20   // a larger file is not read
	MaxValue = 256 << 10 // of a record
	maxAbout = 128 << 10 // the JSON of a record: identity, times, label, meta

	minPadded = 1 << 10
	minRoom   = 8 << 10
)

// SealedSize returns the size of the file of a record, whose value and whose JSON
// have these lengths. Only its order of magnitude shows: 1, 2, 4, 8, … KiB.
func SealedSize(valueLen, aboutLen int) int64 {
	return int64(recordFixed + paddedLen(valueLen, aboutLen))
}

// paddedLen returns the length of the plaintext.
func paddedLen(valueLen, aboutLen int) int {
	n := minPadded
	for n < 4+aboutLen+4+valueLen {
		n *= 2
	}
	return n
}

// Room returns how much space to keep free for the next version of a record: twice
// what this one takes, and at least 8 KiB.
func (r Record) Room() int64 {
	about, err := r.about()
	if err != nil {
		return MaxFile
	}
	n := paddedLen(len(r.Value), len(about))
	return int64(recordFixed + max(2*n, minRoom))
}
