package mcpwire

import (
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// formats are the formats that a string of a form may have. Unlike most keywords of
// that name, here they are assertions.
var formats = map[string]func(string) bool{
	"email": isEmail, "uri": isURI, "date": isDate, "date-time": isDateTime,
}

// The longest mailbox, and the longest part before its at sign, in bytes (RFC 5321,
// section 4.5.3.1).
const (
	maxMailbox   = 254
	maxLocalPart = 64
)

// isEmail reports whether s is a mailbox (RFC 5321, section 4.1.2).
func isEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > maxLocalPart || len(s) > maxMailbox {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if literal, ok := strings.CutPrefix(domain, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		return ok && isLocalPart(local) && isAddressLiteral(literal)
	}
	return isLocalPart(local) && isHostName(domain)
}

// isLocalPart reports whether s is a string of dotted atoms, or a quoted one.
func isLocalPart(s string) bool {
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		inner, ok = strings.CutSuffix(inner, `"`)
		return ok && isQuoted(inner)
	}
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for _, c := range []byte(atom) {
			if !isAlphanumeric(c) && strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) < 0 {
				return false
			}
		}
	}
	return true
}

// isQuoted reports whether s may stand between quotes.
func isQuoted(s string) bool {
	escaped := false
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' && !escaped {
			return false
		}
		escaped = c == '\\' && !escaped
	}
	return !escaped
}

func isAddressLiteral(s string) bool {
	six, ok := strings.CutPrefix(s, "IPv6:")
	a, err := netip.ParseAddr(six)
	return err == nil && a.Zone() == "" && a.Is6() == ok
}

// isURI reports whether s is an absolute URI (RFC 3986).
func isURI(s string) bool {
	if hasURIRest(s) {
		u, err := url.Parse(s)
		return err == nil && u.IsAbs()
	}
	return false
}

// isDate reports whether s is a full-date (RFC 3339, section 5.6).
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDateTime reports whether s is a date-time (RFC 3339, section 5.6). A minute may
// have a second 60 where leap seconds are, at the end of a day of UTC.
func isDateTime(s string) bool {
	const day, clock = len("2006-01-02"), len("15:04:05")
	if len(s) < day+1+clock+1 || !isDate(s[:day]) || s[day]|0x20 != 't' {
		return false
	}
	at, zone := s[day+1:day+1+clock], s[day+1+clock:]
	hour, ok1 := twoDigits(at[0:], 23)
	minute, ok2 := twoDigits(at[3:], 59)
	second, ok3 := twoDigits(at[6:], 60)
	if !ok1 || !ok2 || !ok3 || at[2] != ':' || at[5] != ':' {
		return false
	}
	if fraction, ok := strings.CutPrefix(zone, "."); ok {
		zone = strings.TrimLeft(fraction, "0123456789")
		if len(zone) == len(fraction) {
			return false
		}
	}
	offset, ok := zoneOffset(zone)
	const last = 24*60 - 1
	return ok && (second < 60 || (hour*60+minute-offset+24*60)%(24*60) == last)
}

// zoneOffset returns the minutes that a time is ahead of UTC.
func zoneOffset(s string) (minutes int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+00:00") || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	hour, ok1 := twoDigits(s[1:], 23)
	minute, ok2 := twoDigits(s[4:], 59)
	if minutes = hour*60 + minute; s[0] == '-' {
		minutes = -minutes
	}
	return minutes, ok1 && ok2
}

// twoDigits reads a number of two digits that is at most limit.
func twoDigits(s string, limit int) (int, bool) {
	if s[0] < '0' || s[0] > '9' || s[1] < '0' || s[1] > '9' {
		return 0, false
	}
	n := int(s[0]-'0')*10 + int(s[1]-'0')
	return n, n <= limit
}
