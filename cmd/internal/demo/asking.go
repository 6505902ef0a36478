package demo

import "fmt"

// The states that a call of notes has after its first and its second round.
const (
	stateOne = "state-1"
	stateTwo = "state-2"
)

// asks returns the answer to a call of a tool that needs something of the client
// first. It is empty for any other tool.
func (s *server) asks(q *request) string {
	answered := len(q.Params.InputResponses) > 0
	switch q.Params.Name {
	case "release":
		if answered {
			return done("released")
		}
		return inputRequired(`"stage":{"method":"elicitation/create","params":{"mode":"form","message":"Release it where?",`+
			`"requestedSchema":{"type":"object","properties":{"stage":{"type":"string","enum":["test","live"]}},`+
			`"required":["stage"]}}}`, "")
	case "notes":
		return q.notes()
	case "pay":
		if answered && s.paid {
			return done("paid")
		}
		s.paid = answered // who has opened the page has paid by the time of the next call
		return inputRequired(`"bill":{"method":"elicitation/create","params":{"mode":"url","message":"Please pay",`+
			`"url":"https://pay.example.com/7"}}`, "")
	case "install":
		if answered {
			return failed("not installed")
		}
		return inputRequired(`"setup":{"method":"elicitation/create","params":{"mode":"url","message":"One click to finish",`+
			`"url":"vscode://demo.tools/setup"}}`, "")
	}
	return ""
}

// notes asks in two rounds. Which one it is stands in the state that comes back.
func (q *request) notes() string {
	switch q.Params.RequestState {
	case "":
		return inputRequired(`"folders":{"method":"roots/list"},`+
			`"draft":{"method":"sampling/createMessage","params":{"messages":[{"role":"user",`+
			`"content":{"type":"text","text":"What is new in 1.2?"}}],"maxTokens":200,"includeContext":"thisServer"}}`, stateOne)
	case stateOne:
		return inputRequired(`"publish":{"method":"elicitation/create","params":{"mode":"form","message":"Publish the notes?",`+
			`"requestedSchema":{"type":"object","properties":{"publish":{"type":"boolean"}}}}}`, stateTwo)
	case stateTwo:
		return done("published")
	}
	return failure(-32602, "Unknown state")
}

// inputRequired is a result that asks the questions, with a state unless it is empty.
func inputRequired(questions, state string) string {
	member := ""
	if state != "" {
		member = fmt.Sprintf(`"requestState":%s,`, quote(state))
	}
	return fmt.Sprintf(`"result":{"resultType":"input_required","inputRequests":{%s},%s%s}`, questions, member, serverInfo)
}
