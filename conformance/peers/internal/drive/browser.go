package drive

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
)

// longestPage bounds what is read of a page, in bytes.
const longestPage = 1 << 20

// Visit opens an address as a browser does: it follows redirects, and keeps cookies
// meanwhile. A page that says that something went wrong is an error.
func Visit(ctx context.Context, address string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	client := http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.CopyN(io.Discard, response.Body, longestPage); err != nil && err != io.EOF {
		return fmt.Errorf("read the page: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the page has the status %d", response.StatusCode)
	}
	return nil
}
