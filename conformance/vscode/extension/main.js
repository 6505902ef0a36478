// The part of the test that runs inside the editor: a language model that has one
// answer, a chat participant that calls one tool, and a socket on which the driver
// has functions run.
const http = require('node:http');
const vscode = require('vscode');

// What functions of the driver share. A call is { done, text, error, stop() }.
const state = { calls: {}, start, chat: undefined, asked: [] };

const AsyncFunction = (async () => {}).constructor;

function text(result) {
  return result.content.map((part) => part.value ?? JSON.stringify(part)).join('\n');
}

// start calls a tool as an extension does that is in no conversation.
function start(key, name, input) {
  const source = new vscode.CancellationTokenSource();
  const call = { done: false, stop: () => source.cancel() };
  state.calls[key] = call;
  vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token)
    .then((result) => { call.text = text(result); }, (error) => { call.error = String(error?.message ?? error); })
    .finally(() => { call.done = true; });
}

const model = {
  provideLanguageModelChatInformation: async () => [{
    id: 'desk-1', name: 'Desk Model', family: 'desk', version: '1', maxInputTokens: 1e5, maxOutputTokens: 1e3,
    isUserSelectable: true, isDefault: true, capabilities: { toolCalling: true },
  }],
  provideLanguageModelChatResponse: async (_, messages, options, progress) => {
    state.asked.push(messages.length);
    progress.report(new vscode.LanguageModelTextPart('Paris'));
  },
  provideTokenCount: async () => 1,
};

// answer takes "NAME INPUT" for a prompt: the name of a tool, and JSON.
async function answer(request, context, stream, token) {
  const [name, input] = request.prompt.trim().split(/ (.*)/s);
  const chat = { done: false };
  state.chat = chat;
  try {
    const options = { input: JSON.parse(input || '{}'), toolInvocationToken: request.toolInvocationToken };
    chat.text = text(await vscode.lm.invokeTool(name, options, token));
    stream.markdown(chat.text);
  } catch (error) {
    chat.error = String(error?.message ?? error);
    stream.markdown(`error: ${chat.error}`);
  } finally {
    chat.done = true;
  }
}

async function run(body) {
  const { code, args } = JSON.parse(body);
  return new AsyncFunction('vscode', 'state', 'args', `return (${code})(vscode, state, args)`)(vscode, state, args);
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('desk', model),
    vscode.chat.createChatParticipant('local.desk', answer),
  );
  http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    try {
      response.end(JSON.stringify({ value: (await run(body)) ?? null }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
    }
  }).listen(process.env.TRESTLE_DESK_SOCKET);
};
