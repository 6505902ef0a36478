// Package official judges frames by the JSON schemas that the protocol
// publishes. The schemas are no part of this repository: conformance/peers takes
// them from the official suite.
package official

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Revision is the schema of one revision of the protocol. It is used by one
// goroutine.
type Revision struct {
	name        string // an address for the compiler, which nobody fetches
	within      string // the member that holds the definitions: $defs, or another before 2025-11-25
	definitions map[string]any
	compiler    *jsonschema.Compiler
	compiled    map[string]*jsonschema.Schema

	messages map[string]string // method to the definition of its request or notification
	errors   map[string]string // code to the definition of its error
}

// Load reads dir/REVISION.schema.json.
func Load(dir, revision string) (*Revision, error) {
	file, err := os.Open(filepath.Join(dir, revision+".schema.json"))
	if err != nil {
		return nil, fmt.Errorf("load schema: %w", err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return nil, fmt.Errorf("load schema %s: %w", revision, err)
	}
	within := "$defs"
	if member(doc, within) == nil {
		within = "definitions"
	}
	definitions, ok := member(doc, within).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("load schema %s: no definitions", revision)
	}
	mendNumberSchema(definitions)
	mendElicitResult(definitions)

	r := &Revision{
		name: "official:///" + revision, within: within, definitions: definitions,
		compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{},
		messages: map[string]string{}, errors: map[string]string{},
	}
	if err := r.compiler.AddResource(r.name, doc); err != nil {
		return nil, fmt.Errorf("load schema %s: %w", revision, err)
	}
	r.index()
	return r, nil
}

// The copy of 2025-11-25 in the suite has integers here, where the published
// schema has had numbers since; the suite mends it in the same way.
func mendNumberSchema(definitions map[string]any) {
	for _, name := range []string{"default", "minimum", "maximum"} {
		if property, ok := member(definitions["NumberSchema"], "properties", name).(map[string]any); ok {
			property["type"] = "number"
		}
	}
}

// The values that a form is answered with are numbers in the text of the protocol, and
// integers in the schemas.
func mendElicitResult(definitions map[string]any) {
	values := member(definitions["ElicitResult"], "properties", "content", "additionalProperties")
	all, _ := member(values, "anyOf").([]any)
	for _, one := range append(all, values) {
		types, _ := member(one, "type").([]any)
		for i, name := range types {
			if name == "integer" {
				types[i] = "number"
			}
		}
	}
}

// index finds the definition of each method and of each error code. The unions
// of all messages of one side are passed over: anything is valid against them.
func (r *Revision) index() {
	for name, definition := range r.definitions {
		if strings.HasPrefix(name, "Client") || strings.HasPrefix(name, "Server") {
			continue
		}
		if method, ok := member(definition, "properties", "method", "const").(string); ok {
			r.messages[method] = name
		}
		if code := errorCode(definition); code != "" {
			r.errors[code] = name
		}
	}
}

// errorCode returns the code that a definition of an error, or of a response
// with an error, wants.
func errorCode(definition any) string {
	if code := member(definition, "properties", "code", "const"); code != nil {
		return fmt.Sprint(code)
	}
	parts, _ := member(definition, "properties", "error", "allOf").([]any)
	for _, part := range parts {
		if code := member(part, "properties", "code", "const"); code != nil {
			return fmt.Sprint(code)
		}
	}
	return ""
}

// frame returns the name of the definition of a whole frame, which has another one in
// revisions before 2025-11-25.
func (r *Revision) frame(name, older string) string {
	if r.has(name) {
		return name
	}
	return older
}

// has reports whether the revision has a definition.
func (r *Revision) has(definition string) bool {
	_, ok := r.definitions[definition]
	return ok
}

// valid reports why v is not valid against the definition.
func (r *Revision) valid(definition string, v any) error {
	schema := r.compiled[definition]
	if schema == nil {
		var err error
		if schema, err = r.compiler.Compile(r.name + "#/" + r.within + "/" + definition); err != nil {
			return fmt.Errorf("compile %s: %w", definition, err)
		}
		r.compiled[definition] = schema
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("not a %s: %w", definition, err)
	}
	return nil
}

// member follows a path of member names, and returns nil where it ends.
func member(v any, path ...string) any {
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	return v
}
