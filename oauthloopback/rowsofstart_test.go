package oauthloopback

import (
	"strings"
	"testing"
)

// req: S13, S17
func TestRow5NoStartURL(t *testing.T) {
	r := listen(t, config())
	for _, target := range []string{"/start/", "/start/" + strings.Repeat("A", 43), "/start/x/y"} {
		wantAnswer(t, get(t, r, target), 404, titleNotFound)
	}
	stillWaits(t, r)
}

// req: S17
func TestRow6WrongToken(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	last := start[len(start)-1:]
	for _, method := range []string{"GET", "POST", "HEAD", "OPTIONS"} {
		for _, target := range []string{
			"/start/", start[:len(start)-1], start + "A", start + "/", start + "?", start + "?a=b", strings.ToLower(start[:len(start)-1]) + "!",
			start[:len(start)-1] + map[bool]string{true: "B", false: "A"}[last == "A"], "/start/%2e",
		} {
			got := send(t, r, request(r, method, target))
			if got.status != 404 {
				t.Errorf("%s of a wrong token: status %d, want 404", method, got.status)
			}
		}
	}
	stillWaits(t, r)
	if got := get(t, r, start); got.status != 303 {
		t.Errorf("the right token after guesses: status %d, want 303", got.status)
	}
}

// req: S14
func TestRow7StartWithAnotherMethod(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	for _, method := range []string{"POST", "HEAD", "OPTIONS", "PUT", "get"} {
		if got := send(t, r, request(r, method, start)); got.status != 400 {
			t.Errorf("%s: status %d, want 400", method, got.status)
		}
	}
	stillWaits(t, r)
	if got := get(t, r, start); got.status != 303 {
		t.Errorf("GET after them: status %d, want 303", got.status)
	}
}

// req: S14
func TestRow8Prefetch(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	for _, field := range []string{"Sec-Purpose: prefetch", "Sec-Purpose: prefetch;prerender", "sec-purpose: Prefetch", "Purpose: prefetch", "X-Moz: prefetch", "Sec-Purpose: prerender"} {
		wantAnswer(t, get(t, r, start, field), 503, "")
	}
	stillWaits(t, r)
	if got := get(t, r, start, "Sec-Purpose: something"); got.status != 303 {
		t.Errorf("GET after them: status %d, want 303", got.status)
	}
}

// req: S17
func TestRow9StartAfterTheEnd(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	r.Abort()
	wantAnswer(t, get(t, r, start), 404, titleNotFound)
}

// req: S15
func TestRow9aStartOnceMoreAfterTheSecond(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	get(t, r, start)
	get(t, r, start)
	wantAnswer(t, get(t, r, start), 410, titleReused)
}

// req: S14
func TestRow10FirstStart(t *testing.T) {
	c, events := recorded()
	r := listen(t, c)
	start, u := started(t, r)
	got := get(t, r, start)
	wantAnswer(t, got, 303, "")
	if location := got.header.Get("Location"); location != u.Raw() {
		t.Errorf("Location %q, want %q", location, u.Raw())
	}
	wantEvent(t, events, StartUsed)
	stillWaits(t, r)
}

// req: S15
func TestRow11SecondStartBeforeTheRedirect(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	get(t, r, start)
	got := get(t, r, start)
	wantAnswer(t, got, 410, titleReused)
	if !strings.HasSuffix(got.body, "</html>\n") {
		t.Errorf("the page is not whole: %q", got.body)
	}
	_, err := wait(t, r)
	wantReason(t, err, ReasonStartReused)
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 400, titleOver)
	if redirect, err := wait(t, r); redirect.Code() != "" || err == nil {
		t.Errorf("Wait() after that = %q, %v; want no code", redirect.Code(), err)
	}
}

// req: S16
func TestRow12StartAfterTheCode(t *testing.T) {
	c, events := recorded()
	r := listen(t, c)
	start, _ := started(t, r)
	get(t, r, start)
	wantEvent(t, events, StartUsed)
	get(t, r, "/callback"+codeQuery)
	wantCode(t, r)
	for range 2 {
		wantAnswer(t, get(t, r, start), 410, titleLate)
		wantEvent(t, events, LateStart)
	}
	wantCode(t, r)
}

// req: S17
func TestRow13StartAfterARedirectWithoutIt(t *testing.T) {
	for name, tt := range map[string]struct {
		first bool
		query string
	}{
		"a code, never started": {false, codeQuery},
		"an error, started":     {true, errorQuery},
		"an error, not started": {false, errorQuery},
	} {
		t.Run(name, func(t *testing.T) {
			r := listen(t, config())
			start, _ := started(t, r)
			if tt.first {
				get(t, r, start)
			}
			get(t, r, "/callback"+tt.query)
			wantAnswer(t, get(t, r, start), 404, titleNotFound)
		})
	}
}
