package oauthloopback

import (
	"io"
	"strings"
	"testing"
)

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
		"a query over 8 KiB":           "?" + good + "&x=" + strings.Repeat("x", 8192-len(good)-2),
		"state under an escaped name":  "?st%61te=old&" + good,
		"a state in the fragment only": "?code=" + testCode + "#state=" + testState,
	} {
		t.Run(name, func(t *testing.T) { wantAnswer(t, get(t, r, "/callback"+query), 400, titleBad) })
	}
	stillWaits(t, r)
	wantAnswer(t, get(t, r, "/callback?"+good+"&x="+strings.Repeat("x", 8192-len(good)-3)), 200, titleDone)
}

// req: S08
func TestRow17NeitherCodeNorError(t *testing.T) {
	r := listen(t, config())
	for name, query := range map[string]string{
		"neither": "", "both": "&code=a&error=b", "an empty code": "&code=", "an empty error": "&error=", "an empty code and an error": "&code=&error=a",
		"a line end in the code": "&code=a%0Ab", "NUL in the code": "&code=%00", "a byte over ASCII": "&code=%C3%A9", "DEL in the error": "&error=%7F",
		"the last control character": "&code=%1F",
	} {
		t.Run(name, func(t *testing.T) {
			wantAnswer(t, get(t, r, "/callback?state="+testState+query), 400, titleBad)
		})
	}
	stillWaits(t, r)
	wantAnswer(t, get(t, r, "/callback?code=%20!~&state="+testState), 200, titleDone)
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
