package dir

import "crypto/rand"

// A Room is space on the disk for a file that is not known yet. One of Commit and
// Drop gives it back; Drop after Commit does nothing.
type Room struct {
	dir  *Dir
	temp *temp
}

// Reserve takes room for a file of size bytes: a file of that size is written and
// synced. What cannot be had is ErrNotWritable, and nothing is left behind.
//
// On a file system that never writes over what it has, it is a good sign and no promise.
func (d *Dir) Reserve(size int64) (*Room, error) {
	t, err := d.newTemp()
	if err != nil {
		return nil, err
	}
	fill := make([]byte, size)
	rand.Read(fill) // zeros take no room where the file system packs them
	if _, err := t.file.Write(fill); err != nil {
		return nil, t.abandon(err)
	}
	if err := t.file.Sync(); err != nil {
		return nil, t.abandon(err)
	}
	return &Room{d, t}, nil
}

// Commit is Write into the reserved room. The room is used up, also by an error.
func (r *Room) Commit(name string, data []byte) error {
	t := r.temp
	r.temp = nil
	if err := r.dir.checkTarget(name); err != nil {
		t.drop()
		return err
	}
	if _, err := t.file.WriteAt(data, 0); err != nil {
		return t.abandon(err)
	}
	if err := t.file.Truncate(int64(len(data))); err != nil {
		return t.abandon(err)
	}
	return t.settle(name)
}

// Drop gives the room back unused.
func (r *Room) Drop() {
	if r.temp != nil {
		r.temp.drop()
		r.temp = nil
	}
}
