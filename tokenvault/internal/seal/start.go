package seal

import "github.com/trestle-mcp/trestle/tokenvault/internal/fault"

// checkStart checks what every file begins with: it is one of ours, of the version
// and the algorithm that are known here. The length of the whole comes later, since
// a newer format may have another.
func checkStart(file []byte, kind byte) error {
	if len(file) < startLen {
		return damaged(fault.Corrupt)
	}
	if string(file[:len(magic)]) != magic {
		return damaged(fault.Foreign)
	}
	if file[atVersion] != version {
		return damaged(fault.UnsupportedVersion(file[atVersion]))
	}
	if file[atKind] != kind {
		return damaged(fault.Corrupt)
	}
	if file[atAlgorithm] != hkdfAESGCM {
		return damaged(fault.UnsupportedAlgorithm(file[atAlgorithm]))
	}
	return nil
}

// appendStart appends all of it but the last byte, which differs.
func appendStart(to []byte, kind byte) []byte {
	return append(append(to, magic...), version, kind, hkdfAESGCM)
}

func damaged(d fault.Detail) error { return fault.New(fault.ErrDamaged, d, nil) }
