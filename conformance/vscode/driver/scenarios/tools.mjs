import assert from 'node:assert/strict';

const offered = [
  'both', 'crash', 'echo', 'fail', 'flip', 'form', 'link', 'lists', 'log', 'model', 'release', 'roots', 'save', 'start', 'touch', 'wait',
];

const names = (vscode) => vscode.lm.tools.filter((tool) => tool.tags.includes('mcp')).map((tool) => tool.name).sort();

// The editor starts the server of its configuration, and has the server's tools under
// the name of the server.
export async function start(desk) {
  const { front, upstream } = desk.mark();
  await desk.editor.command('workbench.mcp.startServer', 'mcp.config.ws0.desk', { waitForLiveTools: true });
  assert.deepEqual(await desk.editor.inside(names), offered.map((name) => `mcp_desk_${name}`));
  const initialize = await front.request('>', 'initialize');
  const { result } = await front.answer('<', initialize);
  assert.equal(result.protocolVersion, '2025-11-25');
  assert.equal(result.serverInfo.name, 'trestle-desk');
  const discover = await upstream.request('>', 'server/discover');
  assert.equal(discover.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  assert.deepEqual(upstream.method('>', 'initialize'), []);
}

// A call passes both wires, and the model gets the server's text.
export async function call(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.call('mcp_desk_echo', { text: 'hi' });
  assert.equal((await ended()).text, 'echo hi');
  const asked = await front.request('>', 'tools/call');
  const passed = await upstream.request('>', 'tools/call');
  assert.deepEqual(passed.params.arguments, asked.params.arguments);
  assert.deepEqual((await front.answer('<', asked)).result.content, (await upstream.answer('<', passed)).result.content);
  const chat = await desk.chat('mcp_desk_echo', { text: 'hello' });
  assert.equal((await chat()).text, 'echo hello');
  await desk.shows('echo hello');
  await desk.picture('answer');
}
