package tokenvault

// A Status says what a store is and holds.
type Status struct {
	Kind      Mode
	Dir       string // of Keychain and File: the directory of the files
	Kid       string // the first 8 hex digits of the id of the key
	Prompt    Prompt
	Records   int
	Foreign   int  // files in the directory that are none of ours
	NetworkFS bool // the directory is on a file system of another machine
	Skipped   []Skip
}

// A Skip says why Auto did not take a store.
type Skip struct {
	Kind Mode
	Err  error
}
