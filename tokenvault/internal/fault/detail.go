package fault

// A Detail is one of the texts below: they say what the sentinel alone does not.
// None holds a name, a path, a URL, or a word of anybody else.
type Detail string

// What is wrong with a file, a directory or a record.
const (
	Corrupt     Detail = "corrupt"
	Foreign     Detail = "of another vault"
	Unsupported Detail = "of a newer format"
	RolledBack  Detail = "older than one that was already seen"
	Insecure    Detail = "others can read or change it, or it is no plain file: chmod 700 for the directory, 600 for a file"
	OpenAbove   Detail = "others can change a directory above it: chmod go-w there, or take another place"
)

// What is wrong with a call.
const (
	Changed  Detail = "it was removed or changed by somebody else meanwhile"
	Inside   Detail = "a refresh must not call the vault"
	Full     Detail = "there are as many records as a vault holds"
	NoHeader Detail = "its header is missing"
	NoVault  Detail = "there is no vault"
	Missing  Detail = "missing"
	NoKey    Detail = "none was given"
	OtherKey Detail = "the vault was made with a key of the other kind"
)

// What is wrong with a keychain.
const (
	NoKeychain    Detail = "no keychain runs"
	NoCollection  Detail = "the keychain has no collection"
	ForeignBus    Detail = "the session bus is not this user's"
	KeychainBroke Detail = "the keychain failed"
	NotKept       Detail = "the keychain did not keep what it was given"
	NotDeleted    Detail = "the keychain did not delete what it was told to"
)

// What is wrong with the place of the files.
const (
	Relative  Detail = "its path is not absolute"
	OpenDir   Detail = "others can read or change the directory: chmod 700 it, or take another one"
	Absent    Detail = "there is no such directory"
	Moved     Detail = "the directory is no longer where it was"
	DiskFull  Detail = "the disk is full"
	ReadOnly  Detail = "the system does not let us write there"
	IOFailed  Detail = "the system could not read or write"
	NotSynced Detail = "written, but perhaps not kept if the power fails now"
	NoLocks   Detail = "no file locks"
)

// What is wrong with a key file.
const (
	KeyFileMissing    Detail = "there is no such key file"
	KeyFileExists     Detail = "the key file is there already"
	KeyFileUnreadable Detail = "the key file cannot be read"
	KeyFileFormat     Detail = "the key file is not 64 hex digits"
	KeyFileInsecure   Detail = "others can read or change the key file or a directory above it, or it is no plain file: chmod 600 for the file, go-w above"
	KeyFileInside     Detail = "the key file is in the directory that it locks"
)
