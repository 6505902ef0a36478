package fakess

import (
	"errors"
	"slices"

	"github.com/godbus/dbus/v5"
)

// The methods of the interfaces, as godbus finds them: by their names.
type (
	service    struct{ *Service }
	collection struct{ *Service }
	item       struct{ *Service }
	channel    struct{ *Service }
	prompt     struct{ *Service }
	properties struct{ *Service }
)

type secret struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

func failed(kind string) *dbus.Error { return dbus.NewError(interfaces+"Error."+kind, nil) }

func (s service) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	s.enter("OpenSession")
	defer s.mu.Unlock()
	return dbus.MakeVariant(""), session, nil
}

func (s service) ReadAlias(string) (dbus.ObjectPath, *dbus.Error) {
	s.enter("ReadAlias")
	defer s.mu.Unlock()
	if s.script.NoCollection {
		return noObject, nil
	}
	return s.Service.collection(), nil
}

func (s service) Unlock(objects []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	s.enter("Unlock")
	defer s.mu.Unlock()
	if s.script.NoCollection {
		return nil, "", failed("NoSuchObject")
	}
	for i, o := range objects {
		if o == alias {
			objects[i] = s.Service.collection()
		}
	}
	if !s.locked && !(s.script.ItemLocked && slices.ContainsFunc(objects, s.holds)) {
		return objects, noObject, nil
	}
	return []dbus.ObjectPath{}, s.ask(func() dbus.Variant {
		s.locked, s.script.ItemLocked = false, false
		return dbus.MakeVariant(objects)
	}), nil
}

func (s *Service) holds(path dbus.ObjectPath) bool {
	return slices.ContainsFunc(s.items, func(i *Item) bool { return i.path == path })
}

func (c collection) SearchItems(attributes map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	c.enter("SearchItems")
	defer c.mu.Unlock()
	found := []dbus.ObjectPath{}
	for _, i := range c.items {
		fits := true
		for k, v := range attributes {
			fits = fits && i.Attributes[k] == v
		}
		if fits {
			found = append(found, i.path)
		}
	}
	return found, nil
}

func (c collection) CreateItem(all map[string]dbus.Variant, given secret, _ bool) (dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	c.enter("CreateItem")
	defer c.mu.Unlock()
	if c.locked {
		return "", "", failed("IsLocked")
	}
	attributes, _ := all[interfaces+"Item.Attributes"].Value().(map[string]string)
	switch {
	case c.script.CreateLies:
		return c.Service.collection() + "/0", noObject, nil
	case c.script.CreateChanges:
		given.Value = append(given.Value, '\n')
	case c.script.CreateAsks:
		return noObject, c.ask(func() dbus.Variant { return dbus.MakeVariant(c.put(attributes, given.Value)) }), nil
	}
	return c.put(attributes, given.Value), noObject, nil
}

func (i item) GetSecret(of dbus.ObjectPath, m dbus.Message) (secret, *dbus.Error) {
	i.enter("GetSecret")
	defer i.mu.Unlock()
	if i.locked || i.script.ItemLocked {
		return secret{}, failed("IsLocked")
	}
	if of != session || i.script.WrongSession {
		return secret{}, failed("NoSession")
	}
	for _, it := range i.items {
		if it.path == path(m) {
			return secret{session, []byte{}, it.Value, "text/plain"}, nil
		}
	}
	return secret{}, failed("NoSuchObject")
}

func (i item) Delete(m dbus.Message) (dbus.ObjectPath, *dbus.Error) {
	i.enter("Delete")
	defer i.mu.Unlock()
	gone := path(m)
	remove := func() dbus.Variant {
		i.items = slices.DeleteFunc(i.items, func(it *Item) bool { return it.path == gone })
		return dbus.MakeVariant("")
	}
	if i.script.DeleteAsks {
		return i.ask(remove), nil
	}
	remove()
	return noObject, nil
}

func (c channel) Close() *dbus.Error {
	c.enter("Close")
	defer c.mu.Unlock()
	return nil
}

// Prompt shows the dialog, and somebody answers it before the caller has the reply.
func (p prompt) Prompt(_ string, m dbus.Message) *dbus.Error {
	p.enter("Prompt")
	defer p.mu.Unlock()
	accepted, found := p.dialogs[path(m)]
	if !found {
		return failed("NoSuchObject")
	}
	delete(p.dialogs, path(m))
	const completed = interfaces + "Prompt.Completed"
	switch p.script.Dialog {
	case Accepts:
		p.conn.Emit(path(m), completed, false, accepted())
	case OtherFirst:
		p.conn.Emit(path(m), interfaces+"Prompt.Moved")
		p.conn.Emit(path(m), completed, false, accepted())
	case Dismisses:
		p.conn.Emit(path(m), completed, true, dbus.MakeVariant([]dbus.ObjectPath{}))
	case BusDies:
		go p.bus.Kill()
	case Hangs:
	}
	return nil
}

func (p prompt) Dismiss(dbus.Message) *dbus.Error {
	p.enter("Dismiss")
	defer p.mu.Unlock()
	return nil
}

func (p properties) Get(kind, property string, m dbus.Message) (dbus.Variant, *dbus.Error) {
	p.enter("Get")
	defer p.mu.Unlock()
	switch kind + "." + property {
	case interfaces + "Service.Collections":
		all := []dbus.ObjectPath{}
		if !p.script.NoCollection {
			all = append(all, p.Service.collection())
		}
		return dbus.MakeVariant(all), nil
	case interfaces + "Collection.Locked":
		if path(m) != p.Service.collection() {
			return dbus.Variant{}, failed("NoSuchObject")
		}
		return dbus.MakeVariant(p.locked), nil
	case interfaces + "Item.Locked":
		return dbus.MakeVariant(p.locked || p.script.ItemLocked), nil
	}
	return dbus.Variant{}, dbus.MakeFailedError(errors.New("no such property"))
}

func path(m dbus.Message) dbus.ObjectPath {
	p, _ := m.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	return p
}
