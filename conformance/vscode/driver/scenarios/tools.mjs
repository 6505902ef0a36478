import assert from 'node:assert/strict';
import { until } from '../until.mjs';

const offered = [
  'again', 'both', 'crash', 'echo', 'erase', 'fail', 'flip', 'form', 'later', 'leave', 'link', 'lists', 'log', 'model', 'release', 'roots',
  'save', 'start', 'touch', 'wait',
];

// The editor starts the server of its configuration, and has the server's tools under
// the name of the server.
export async function start(desk) {
  const { front, upstream } = desk.mark();
  await desk.start();
  assert.deepEqual(await desk.tools(), offered.map((name) => `mcp_desk_${name}`));
  const { result } = await front.answer('<', await front.request('>', 'initialize'));
  assert.equal(result.protocolVersion, '2025-11-25');
  assert.equal(result.serverInfo.name, 'trestle-desk');
  assert.equal(result.serverInfo.title, 'Desk');
  const discover = await upstream.request('>', 'server/discover');
  assert.equal(discover.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  assert.deepEqual(upstream.method('>', 'initialize'), []);
  await desk.logged(`Discovered ${offered.length} tools`);
  await desk.picture('log');
}

// listed wants a tool of a server in the list that a person chooses from, with its
// description.
export async function listed(desk, server, name, description) {
  const rows = await list(desk, server);
  await desk.page.locator('.quick-input-widget:visible input[type=text]').fill(name);
  const row = rows.filter({ hasText: description });
  await until(`row ${description}`, async () => {
    if (await row.isVisible()) return true;
    await rows.locator('.monaco-tl-twistie.collapsed').first().click({ timeout: 1000 }).catch(() => {});
    return false;
  });
  await desk.picture('tools');
}

// list opens the list of tools, and returns its rows.
async function list(desk, server) {
  await desk.editor.command('workbench.action.chat.open');
  desk.editor.command('workbench.action.chat.configureTools').catch(() => {}); // ends when something was chosen
  await desk.page.locator('.quick-input-widget:visible input[type=text]').fill(server); // it may be too far below
  const rows = desk.page.locator('.quick-input-widget:visible .monaco-list-row');
  await rows.filter({ hasText: server }).waitFor();
  return rows;
}

// The pictures of a server that runs here reach the editor as they are, and a person sees
// them. It asks no other site for one.
export async function icons(desk) {
  const { front, upstream } = desk.wires.desk;
  for (const wire of [front, upstream]) {
    const { result } = await wire.answer(0, '<', await wire.request(0, '>', 'tools/list'));
    const echo = result.tools.find((tool) => tool.name === 'echo');
    assert.deepEqual(echo.icons.map((icon) => icon.src.slice(0, 14)), ['data:image/png', 'https://icons.']);
  }
  const rows = await list(desk, 'Desk');
  await rows.filter({ hasText: 'Desk' }).locator('[style*="data:image/png"], img[src^="data:image/png"]').first().waitFor();
  await desk.picture('tools');
  assert.deepEqual(desk.editor.requested.filter((url) => url.includes('icons.example')), []);
}

// A list without items, which services of models refuse, gets them.
export async function lists(desk) {
  const { front, upstream } = desk.wires.desk;
  const said = (await upstream.answer(0, '<', await upstream.request(0, '>', 'tools/list'))).result;
  const schema = (result) => result.tools.find((tool) => tool.name === 'lists').inputSchema;
  assert.deepEqual(schema(said).properties.list, { type: 'array' });
  const heard = (await front.answer(0, '<', await front.request(0, '>', 'tools/list'))).result;
  assert.deepEqual(schema(heard).properties.list, { type: 'array', items: {} });
  assert.deepEqual(schema(heard).properties.deep.properties.list, { type: 'array', items: {} });
  const model = await desk.editor.inside((vscode) => vscode.lm.tools.find((tool) => tool.name === 'mcp_desk_lists').inputSchema);
  assert.deepEqual(model.properties.list.items, {});
  await listed(desk, 'Desk', 'lists', 'lists without items');
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

// ranOnce wants one call of the tool save with this input on both wires.
async function ranOnce({ front, upstream }, input) {
  for (const wire of [front, upstream]) {
    const [asked, ...more] = wire.method('>', 'tools/call');
    assert.deepEqual(more, []);
    assert.deepEqual(asked.params.arguments, input);
    assert.equal((await wire.answer('<', asked)).result.content[0].text, `saved ${input.text}`);
  }
}

// The editor asks before a tool that is not said to be safe, by its title.
export async function confirmation(desk) {
  let { front, upstream } = desk.mark();
  let ended = await desk.call('mcp_desk_save', { text: 'one' });
  await desk.shows('Run Save a note');
  await desk.picture('question');
  assert.deepEqual(upstream.method('>', 'tools/call'), []);
  await desk.dialog('Cancel');
  assert.match((await ended()).error, /cancel/i);
  for (const wire of [front, upstream]) assert.deepEqual(wire.method('>', 'tools/call'), []);
  ({ front, upstream } = desk.mark());
  ended = await desk.call('mcp_desk_save', { text: 'two' });
  await desk.dialog('Yes');
  assert.equal((await ended()).text, 'saved two');
  await ranOnce({ front, upstream }, { text: 'two' });
}

// In a conversation the question is a part of the answer.
export async function confirmationPart(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_save', { text: 'three' });
  await desk.shows('Run Save a note');
  await desk.picture('question');
  for (const wire of [front, upstream]) assert.deepEqual(wire.method('>', 'tools/call'), []);
  await desk.press('.interactive-session', /^Allow/);
  assert.equal((await ended()).text, 'saved three');
  await ranOnce({ front, upstream }, { text: 'three' });
  await desk.shows('saved three');
}

// A person sees how far the work is.
export async function progress(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_wait');
  await progressed(wires);
  await desk.shows('a quarter is done');
  await desk.picture('quarter');
  await (await desk.call('mcp_desk_release'))();
  assert.equal((await ended()).text, 'work is done');
}

// Outside a conversation the editor has no place to show it, and takes it all the same.
export async function progressUnseen(desk) {
  const wires = desk.mark();
  const ended = await desk.call('mcp_desk_wait');
  await progressed(wires);
  assert.equal(await desk.text('a quarter is done').count(), 0);
  await desk.picture('nothing');
  await (await desk.call('mcp_desk_release'))();
  assert.equal((await ended()).text, 'work is done');
}

// progressed wants the progress of a call to have come with the token of the call, which
// is another one on each wire.
async function progressed({ front, upstream }) {
  const tokens = [];
  for (const wire of [upstream, front]) {
    const said = (await wire.request('<', 'notifications/progress')).params;
    const asked = await wire.request('>', 'tools/call');
    assert.equal(said.progressToken, asked.params._meta.progressToken);
    assert.deepEqual([said.progress, said.total, said.message], [1, 4, 'a quarter is done']);
    tokens.push(said.progressToken);
  }
  assert.notEqual(...tokens);
}

// The text of a server's error reaches the model.
export async function failure(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_fail');
  assert.match((await ended()).error, /-32050.*the desk is on fire/);
  const { error } = await upstream.answer('<', await upstream.request('>', 'tools/call'));
  assert.equal((await front.answer('<', await front.request('>', 'tools/call'))).error.message, error.message);
  await desk.shows('the desk is on fire');
  await desk.picture('error');
}
