package compare

import "testing"

func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       int
	}{
		{"the order of members", `{"a":1,"b":[{"name":"x"}]}`, `{"b":[{"name":"x"}],"a":1}`, 0},
		{"the order of elements", `{"a":[1,2]}`, `{"a":[2,1]}`, 2},
		{"digits", `{"a":1.0}`, `{"a":1}`, 1},
		{"an empty object more", `{"a":{}}`, `{"a":{"b":{}}}`, 1},
		{"another type", `{"a":{}}`, `{"a":[]}`, 1},
		{"two names", `{"a":[{"name":"x"}]}`, `{"a":[{"name":"y"}]}`, 5},
		{"the order of names", `{"a":[{"name":"x"},{"name":"y"}]}`, `{"a":[{"name":"y"},{"name":"x"}]}`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Flatten([]byte(tt.a))
			if err != nil {
				t.Fatal(err)
			}
			b, err := Flatten([]byte(tt.b))
			if err != nil {
				t.Fatal(err)
			}
			if got := Differences(a, b); len(got) != tt.want {
				t.Errorf("Differences(%s, %s) = %v, want %d", tt.a, tt.b, got, tt.want)
			}
		})
	}
}
