package keychain

// locked reports false: the credentials of a logon session are open while it lasts.
// Without one, as over SSH, they are not there.
func locked(error) bool { return false }

func leaveEnvironment() func() { return func() {} }
