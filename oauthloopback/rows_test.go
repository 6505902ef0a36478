package oauthloopback

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// The tests of this file are named after the rows of the table in the README.

// req: S09
func TestRow1HeadTooLarge(t *testing.T) {
	r := listen(t, config())
	sized := func(size int) string {
		head := request(r, "GET", "/", "X: ")
		return strings.Replace(head, "X: ", "X: "+strings.Repeat("x", size-len(head)), 1)
	}
	for _, tt := range []struct {
		name         string
		size, status int
	}{
		{"one byte less", defaultHeadLimit - 1, 404}, {"as large as may be", defaultHeadLimit, 404}, {"one byte more", defaultHeadLimit + 1, 431},
		{"four times", 4 * defaultHeadLimit, 431},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := send(t, r, sized(tt.size))
			if got.status != tt.status {
				t.Errorf("a head of %d bytes: status %d, want %d", tt.size, got.status, tt.status)
			}
			if tt.status == 431 {
				wantAnswer(t, got, 431, titleMuch)
			}
		})
	}
	stillWaits(t, r)
}

// A target of its own length counts like a field, and a head that goes on for ever is
// answered before its end.
//
// req: S09
func TestRow1HeadWithoutEnd(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, "GET /"+strings.Repeat("a", defaultHeadLimit))
	wantAnswer(t, receive(t, c, false), 431, titleMuch)
	stillWaits(t, r)
}

// req: S09
func TestRow2HeadNotComplete(t *testing.T) {
	r := listen(t, config())
	for _, part := range []string{"", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: " + r.host + "\r\n", request(r, "GET", "/callback"+codeQuery)[:60]} {
		c := dial(t, r)
		io.WriteString(c, part)
		c.(interface{ CloseWrite() error }).CloseWrite()
		if all, err := io.ReadAll(c); err != nil || len(all) > 0 {
			t.Errorf("%q: got %q, %v; want a silent end", part, all, err)
		}
	}
	stillWaits(t, r)
}

// req: S09
func TestRow3NotHTTP(t *testing.T) {
	r := listen(t, config())
	for name, raw := range map[string]string{
		"no words":                 "hello\r\n\r\n",
		"two words":                "GET /\r\n\r\n",
		"control characters":       "GET /\x01 HTTP/1.1\r\nHost: " + r.host + "\r\n\r\n",
		"host twice":               request(r, "GET", "/callback"+codeQuery, "Host: "+r.host),
		"hello of TLS, no line":    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"preface of HTTP/2":        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"another version":          "GET /callback" + codeQuery + " HTTP/2.0\r\nHost: " + r.host + "\r\n\r\n",
		"field without a colon":    "GET / HTTP/1.1\r\nHost " + r.host + "\r\n\r\n",
		"blank before the colon":   "GET / HTTP/1.1\r\nHost : " + r.host + "\r\n\r\n",
		"empty line first":         "\r\n" + request(r, "GET", "/"),
		"bad transfer encoding":    request(r, "GET", "/callback"+codeQuery, "Transfer-Encoding: odd"),
		"two lengths":              request(r, "GET", "/callback"+codeQuery, "Content-Length: 1", "Content-Length: 2"),
		"a target without a slash": request(r, "GET", "callback"+codeQuery),
	} {
		t.Run(name, func(t *testing.T) { wantAnswer(t, send(t, r, raw), 400, titleRequest) })
	}
	stillWaits(t, r)
}

// A page whose host name was made to lead here has another Host than ours.
//
// req: S08
func TestRow4AnotherHost(t *testing.T) {
	r := listen(t, config())
	port := r.host[strings.IndexByte(r.host, ':'):]
	raw := map[string]string{
		"none":          "GET /callback" + codeQuery + " HTTP/1.1\r\n\r\n",
		"HTTP/1.0":      "GET /callback" + codeQuery + " HTTP/1.0\r\n\r\n",
		"absolute form": request(r, "GET", "http://"+r.host+"/callback"+codeQuery),
		"CONNECT":       request(r, "CONNECT", r.host),
	}
	for _, host := range []string{"", "localhost" + port, "127.0.0.1", "127.0.0.1:1", "[::1]" + port, "evil.example" + port, "127.0.0.1.", "127.1" + port} {
		raw["host "+host] = "GET /callback" + codeQuery + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n"
	}
	for name, raw := range raw {
		t.Run(name, func(t *testing.T) { wantAnswer(t, send(t, r, raw), 400, titleRequest) })
	}
	stillWaits(t, r)
}

// req: S08
func TestRow4aPartOfAPage(t *testing.T) {
	r := listen(t, config())
	start, _ := started(t, r)
	for _, destination := range []string{"iframe", "image", "empty", "script", "Document", ""} {
		for _, target := range []string{"/callback" + codeQuery, start} {
			wantAnswer(t, get(t, r, target, "Sec-Fetch-Dest: "+destination), 404, titleNotFound)
		}
	}
	wantAnswer(t, get(t, r, start, "Sec-Fetch-Dest: document", "sec-fetch-dest: image"), 404, titleNotFound)
	stillWaits(t, r)
	wantAnswer(t, get(t, r, "/callback"+codeQuery, "Sec-Fetch-Dest: document"), 200, titleDone)
}

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

// req: S08
func TestRow14CallbackWithAnotherMethod(t *testing.T) {
	r := listen(t, config())
	for _, method := range []string{"POST", "HEAD", "OPTIONS", "PUT", "DELETE", "get"} {
		if got := send(t, r, request(r, method, "/callback"+codeQuery)); got.status != 400 {
			t.Errorf("%s: status %d, want 400", method, got.status)
		}
	}
	stillWaits(t, r)
}

// A body that was promised is not waited for.
//
// req: S08, S09
func TestRow14BodyIsNotRead(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, request(r, "POST", "/callback", "Content-Length: 102400", "Expect: 100-continue"))
	wantAnswer(t, receive(t, c, false), 400, titleRequest)
	body := "code=" + testCode + "&state=" + testState
	wantAnswer(t, send(t, r, request(r, "POST", "/callback", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 86")+body), 400, titleRequest)
	stillWaits(t, r)
}

// req: S08
func TestRow15SameRedirectAgain(t *testing.T) {
	r := listen(t, config())
	for range 3 {
		wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
	}
	wantCode(t, r)
}

// req: S08
func TestRow15aAnotherRedirectAfterTheEnd(t *testing.T) {
	for name, finish := range map[string]func(*Receiver){
		"taken":   func(r *Receiver) { get(t, r, "/callback"+codeQuery) },
		"aborted": (*Receiver).Abort,
	} {
		t.Run(name, func(t *testing.T) {
			r := listen(t, config())
			finish(r)
			for _, query := range []string{codeQuery + "&more", strings.Replace(codeQuery, testCode, "other", 1), errorQuery, "", "?state=old&code=x"} {
				wantAnswer(t, get(t, r, "/callback"+query), 400, titleOver)
			}
		})
	}
}

// req: S08
func TestRow16NotTheExpectedRedirect(t *testing.T) {
	r := listen(t, config())
	good := "state=" + testState + "&code=" + testCode
	for name, query := range map[string]string{
		"none":                         "",
		"no state":                     "?code=" + testCode,
		"another state":                "?code=" + testCode + "&state=" + strings.ToLower(testState),
		"a shorter state":              "?code=" + testCode + "&state=" + testState[1:],
		"a longer state":               "?code=" + testCode + "&state=" + testState + "A",
		"an empty state":               "?code=" + testCode + "&state=",
		"state twice":                  "?" + good + "&state=" + testState,
		"code twice":                   "?" + good + "&code=" + testCode,
		"error twice":                  "?error=a&error=a&state=" + testState,
		"iss twice":                    "?" + good + "&iss=a&iss=a",
		"an error with another state":  "?error=access_denied&state=old",
		"an error without a state":     "?error=access_denied",
		"a bad escape":                 "?" + good + "&x=%zz",
		"a semicolon":                  "?" + good + ";x",
		"a query over 8 KiB":           "?" + good + "&x=" + strings.Repeat("x", maxQuery-len(good)-2),
		"state under an escaped name":  "?st%61te=old&" + good,
		"a state in the fragment only": "?code=" + testCode + "#state=" + testState,
	} {
		t.Run(name, func(t *testing.T) { wantAnswer(t, get(t, r, "/callback"+query), 400, titleBad) })
	}
	stillWaits(t, r)
	wantAnswer(t, get(t, r, "/callback?"+good+"&x="+strings.Repeat("x", maxQuery-len(good)-3)), 200, titleDone)
}

// req: S08
func TestRow17NeitherCodeNorError(t *testing.T) {
	r := listen(t, config())
	for name, query := range map[string]string{
		"neither": "", "both": "&code=a&error=b", "an empty code": "&code=", "an empty error": "&error=", "an empty code and an error": "&code=&error=a",
		"a line end in the code": "&code=a%0Ab", "NUL in the code": "&code=%00", "a byte over ASCII": "&code=%C3%A9", "DEL in the error": "&error=%7F",
	} {
		t.Run(name, func(t *testing.T) {
			wantAnswer(t, get(t, r, "/callback?state="+testState+query), 400, titleBad)
		})
	}
	stillWaits(t, r)
}

// req: S08
func TestRow18Code(t *testing.T) {
	r := listen(t, config())
	wantAnswer(t, get(t, r, "/callback"+codeQuery), 200, titleDone)
	redirect, err := wait(t, r)
	iss, present := redirect.Iss()
	if err != nil || redirect.Code() != testCode || redirect.State() != testState || iss != "https://as.example" || !present || redirect.ErrorCode() != "" {
		t.Errorf("Wait() = code %q, state %q, iss %q, error %q, %v", redirect.Code(), redirect.State(), iss, redirect.ErrorCode(), err)
	}
}

// The browser has its whole page when whoever waits goes on.
//
// req: S08
func TestRow18PageBeforeTheResult(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, request(r, "GET", "/callback"+codeQuery))
	wantCode(t, r)
	r.Close()
	if got := receive(t, c, false); !strings.HasSuffix(got.body, "</html>\n") {
		t.Errorf("the page is not whole: %q", got.body)
	}
}

// req: S08
func TestRow19Error(t *testing.T) {
	r := listen(t, config())
	wantAnswer(t, get(t, r, "/callback"+errorQuery+"&error_uri=https%3A%2F%2Fas.example%2Fhelp"), 200, titleDone)
	redirect, err := wait(t, r)
	_, present := redirect.Iss()
	if err != nil || redirect.Code() != "" || redirect.ErrorCode() != "access_denied" || redirect.ErrorDescription() != "no" ||
		redirect.ErrorURI() != "https://as.example/help" || present {
		t.Errorf("Wait() = error %q %q %q, %v", redirect.ErrorCode(), redirect.ErrorDescription(), redirect.ErrorURI(), err)
	}
}

// req: S08
func TestRow20AnythingElse(t *testing.T) {
	r := listen(t, config())
	started(t, r)
	for _, target := range []string{
		"/", "/favicon.ico", "/%63allback" + codeQuery, "//callback" + codeQuery, "/callback/" + codeQuery, "/./callback" + codeQuery,
		"/Callback" + codeQuery, "/callback%3F" + codeQuery[1:], "/callback;x" + codeQuery, "/start", "/st%61rt/x", "/.well-known/oauth-authorization-server",
	} {
		wantAnswer(t, get(t, r, target), 404, titleNotFound)
		wantAnswer(t, send(t, r, request(r, "POST", target)), 404, titleNotFound)
	}
	wantAnswer(t, send(t, r, request(r, "OPTIONS", "*")), 404, titleNotFound)
	if got := send(t, r, request(r, "HEAD", "/")); got.status != 404 || got.body != "" {
		t.Errorf("HEAD: %d with %d bytes, want 404 without a body", got.status, len(got.body))
	}
	stillWaits(t, r)
}

// Nothing of a request stands in what is answered, but for the one redirect.
//
// req: S09
func TestNothingIsEchoed(t *testing.T) {
	r := listen(t, config())
	const mark = "zQmarkQz"
	for _, raw := range []string{
		request(r, "GET", "/"+mark, "X-"+mark+": "+mark), request(r, mark, "/"), request(r, "GET", "/callback?state="+mark+"&code="+mark),
		"GET / HTTP/1.1\r\nHost: " + mark + "\r\n\r\n", mark + "\r\n\r\n", request(r, "GET", "/start/"+mark),
		request(r, "GET", "/callback?error=access_denied&error_description="+mark+"&state="+testState),
		request(r, "GET", "/callback?code="+mark+"&state="+testState),
	} {
		got := send(t, r, raw)
		if strings.Contains(got.body, mark) || got.status == 0 {
			t.Errorf("%q is answered with %q", raw, got.body)
		}
		for name, values := range got.header {
			if strings.Contains(name+strings.Join(values, ""), mark) {
				t.Errorf("%q is answered with %s: %q", raw, name, values)
			}
		}
	}
}

// Port 80 is left out of the Host field.
func TestPort80(t *testing.T) {
	r := &Receiver{host: "127.0.0.1:80"}
	for host, want := range map[string]bool{"127.0.0.1": true, "127.0.0.1:80": true, "127.0.0.1:": false, "localhost": false} {
		head, err := http.NewRequest("GET", "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		head.Host = host
		if got := r.named(head); got != want {
			t.Errorf("Host %s: %v, want %v", host, got, want)
		}
	}
}

// A response that cannot be read does not hold up the result.
func TestReaderOfNothing(t *testing.T) {
	r := listen(t, config())
	c := dial(t, r)
	io.WriteString(c, request(r, "GET", "/callback"+codeQuery))
	start := time.Now()
	wantCode(t, r)
	if took := time.Since(start); took > patience {
		t.Errorf("it took %v", took)
	}
}
