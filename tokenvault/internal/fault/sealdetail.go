package fault

import "strconv"

// What is wrong with a key, or with what is to be sealed.
const (
	KeyFormat  Detail = "it is not 64 hex digits, or all of its bytes are equal"
	NotOurItem Detail = "the keychain holds something else in its place"
	BadID      Detail = "a part of the id is too long or no plain text"
	BadText    Detail = "a label is no plain text"
	TooLarge   Detail = "too large"
)

// WrongKey names both keys by the first 8 hex digits of their ids.
func WrongKey(given, sealed string) Detail {
	return Detail("wrong: it is key " + given + ", and the vault was sealed with " + sealed)
}

// UnsupportedVersion and UnsupportedAlgorithm begin with the text of Unsupported.
func UnsupportedVersion(n byte) Detail { return unsupported("version", n) }

// UnsupportedAlgorithm names an algorithm that is not known here.
func UnsupportedAlgorithm(n byte) Detail { return unsupported("algorithm", n) }

func unsupported(what string, n byte) Detail {
	return Unsupported + Detail(": "+what+" "+strconv.Itoa(int(n)))
}
