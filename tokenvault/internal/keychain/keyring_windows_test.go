package keychain

import (
	"crypto/rand"
	"errors"
	"testing"
	"time"

	"github.com/trestle-mcp/trestle/tokenvault/internal/fault"
)

// An item of no name that anybody else has, which is gone at the end.
func TestCredentialManager(t *testing.T) {
	w := New(Options{Timeout: time.Minute})
	defer w.Close()
	service := "trestle/test-" + rand.Text()
	const account = "vault-key/1/0123"
	if _, err := w.Get(t.Context(), service, account); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Get of nothing: %v", err)
	}
	for _, value := range []string{"tvk1.first", "tvk1.second"} {
		if err := w.Set(t.Context(), service, account, []byte(value)); err != nil {
			t.Errorf("Set: %v", err)
		}
		if got, err := w.Get(t.Context(), service, account); string(got) != value || err != nil {
			t.Errorf("Get = %q, %v, want %q", got, err, value)
		}
	}
	if _, err := w.Get(t.Context(), service+"-other", account); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Get of another service: %v", err)
	}
	for range 2 {
		if err := w.Delete(t.Context(), service, account); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	if _, err := w.Get(t.Context(), service, account); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("Get after Delete: %v", err)
	}
}
