import assert from 'node:assert/strict';

// The editor asks before a server uses the model. A server that was not allowed to gets
// nothing but that its call has failed.
export async function sampling(desk) {
  const { upstream, front } = desk.mark();
  const ended = await desk.call('mcp_desk_model');
  await desk.shows('The MCP server "desk" has issued a request to make a language model call');
  await desk.picture('consent');
  await desk.dialog('Allow in this Session');
  assert.match((await ended()).text, /"text":"Paris"/);
  const question = await front.request('<', 'sampling/createMessage');
  assert.equal(question.params.messages[0].content.text, 'Capital of France?');
  const [, retry] = upstream.method('>', 'tools/call');
  assert.equal(retry.params.inputResponses.model.role, 'assistant');
  assert.equal(retry.params.inputResponses.model.model, 'desk/desk-1');
}

// A server that was not allowed to use the model gets no answer, and none of the
// editor's words. The editor would take this for a yes to all later requests of this
// server, so the bridge asks it no more.
export async function samplingRefused(desk) {
  await desk.start('ts');
  const { upstream, front } = desk.mark('ts');
  const ended = await desk.call('mcp_ts_v2_peer_ask_model');
  await desk.shows('Run ask_model');
  await desk.dialog('Yes');
  await desk.shows('The MCP server "ts" has issued a request to make a language model call');
  await desk.dialog('Not Now');
  assert.match((await ended()).error, /^MPC -32603/);
  const question = await front.request('<', 'sampling/createMessage');
  assert.equal((await front.answer('>', question)).error.code, -32000);
  assert.equal(upstream.method('>', 'tools/call').length, 1);

  const again = await desk.call('mcp_ts_v2_peer_ask_model');
  await desk.shows('Run ask_model');
  await desk.dialog('Yes');
  assert.match((await again()).error, /^MPC -32603/);
  assert.equal(front.method('<', 'sampling/createMessage').length, 1);
  assert.equal(await desk.page.locator('.monaco-dialog-box').count(), 0);
  await desk.picture('nothing-asked');
}

// The server gets the folder that is open.
export async function roots(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_roots');
  assert.match((await ended()).text, /"uri":"file:\/\/\/[^"]*\/folder"/);
  const [, retry] = upstream.method('>', 'tools/call');
  const answer = await front.answer('>', await front.request('<', 'roots/list'));
  assert.deepEqual(retry.params.inputResponses.roots.roots, answer.result.roots);
  assert.equal(answer.result.roots.length, 1);
  await desk.shows(answer.result.roots[0].uri);
  await desk.picture('answer');
}
