package mcpwire

// A Profile says what a front needs beyond, or despite, the specification. The
// zero Profile is strict: every frame toward the front is valid for its revision.
type Profile struct {
	// LooseResults lets structured content that is not an object, and output
	// schemas whose root is not an object, reach the front (T74, T79).
	LooseResults bool

	// LooseContent lets content blocks of unknown types reach the front (T75).
	LooseContent bool

	// ModernNotFound lets the code -32602 for a resource that is not found reach
	// the front, instead of -32002 (T90).
	ModernNotFound bool

	// EditorURIs reads a resource under the URI that was listed, and subscribes to
	// it, where the front asks for the form into which Visual Studio Code turns that
	// URI (W21). An update of it reaches the front under the form that was asked
	// for: the editor recognizes no other.
	EditorURIs bool

	// ContinueForm shows a form without fields as one with the single choice
	// Continue, for a front that shows nothing for the first (I17).
	ContinueForm bool

	// RefusalHolds asks no more for the model in this session once the front has
	// refused sampling, for a front that would allow every later request without
	// asking a person (I15).
	RefusalHolds bool

	// AllowSwapGap lets events be missed while one stream of notifications replaces
	// another because the front subscribed or unsubscribed. Otherwise the front is
	// then told that each resource it was subscribed to may have changed (T166).
	AllowSwapGap bool
}

// VSCode is the profile of Visual Studio Code.
var VSCode = Profile{LooseResults: true, LooseContent: true, ModernNotFound: true, EditorURIs: true, ContinueForm: true, RefusalHolds: true}
