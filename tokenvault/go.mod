module github.com/trestle-mcp/trestle/tokenvault

go 1.26.0

require (
	github.com/godbus/dbus/v5 v5.2.4
	github.com/gofrs/flock v0.13.2
	github.com/zalando/go-keyring v0.2.8
	go.uber.org/goleak v1.3.0
	golang.org/x/sys v0.49.0
)

require github.com/danieljoos/wincred v1.2.3 // indirect
