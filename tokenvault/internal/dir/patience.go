package dir

import "time"

// Virus scanners, and readers that do not share, hold a file for moments.
const (
	firstPause = time.Millisecond
	longPause  = 50 * time.Millisecond
	patience   = 2 * time.Second
)

// patiently calls do again while its error says that somebody is in the way, until
// the patience is used up.
func patiently(inTheWay func(error) bool, do func() error) error {
	start, pause := time.Now(), firstPause
	for {
		err := do()
		if err == nil || !inTheWay(err) || time.Since(start)+pause > patience {
			return err
		}
		time.Sleep(pause)
		pause = min(2*pause, longPause)
	}
}

// patient is patiently for what looks at a file that somebody may be replacing.
func patient[T any](look func() (T, error)) (got T, err error) {
	err = patiently(inTheWay, func() error {
		got, err = look()
		return err
	})
	return got, err
}
