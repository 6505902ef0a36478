import assert from 'node:assert/strict';
import { until } from '../until.mjs';

const text = (vscode) => vscode.window.activeTextEditor?.document.getText();

// browse opens a resource as a person does, out of the list of all.
async function browse(desk, uri) {
  await listed(desk, uri, uri);
  await shown(desk, `text of ${uri}`);
}

// listed chooses a row of that list. It grows as the servers answer, so a row is chosen
// only while the cursor is on it.
async function listed(desk, typed, text) {
  await desk.keys('Escape');
  desk.editor.command('workbench.mcp.browseResources').catch(() => {}); // ends when something was chosen
  const chosen = desk.page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: text });
  await until(`row ${text}`, async () => {
    await desk.page.locator('.quick-input-widget:visible input[type=text]').fill(`mcpr ${typed}`);
    return await chosen.count() > 0;
  });
  await desk.keys('Enter');
}

// shown waits until the editor that is in front begins with a text.
async function shown(desk, start) {
  await until(start, async () => (await desk.editor.inside(text))?.startsWith(start));
  await desk.page.locator('.editor-instance .view-line').filter({ hasText: start }).first().waitFor();
}

// kept are URIs of the server, each with the form in which the editor has it.
const kept = [
  ['desk://plain/note', /^desk:\/\/plain\/note$/],
  ['mem:note', /^mem:\/\/[^/]+note$/],
  ['mem:/path/note', /^mem:\/\/\/path\/note$/],
  ['ui://widget/a%2Fb?x=1&y=%26', /^ui:\/\/widget\/a\/b\?x=1&y=&$/],
];

// The editor has forms of its own for some URIs. The server gets its own again, and the
// editor is told none but the server's.
export async function resources(desk) {
  const wires = desk.mark();
  for (const [uri, form] of kept) {
    const { front, upstream } = desk.mark();
    await browse(desk, uri);
    assert.match((await front.request('>', 'resources/read')).params.uri, form);
    assert.equal((await upstream.request('>', 'resources/read')).params.uri, uri);
    const subscribed = await front.request('>', 'resources/subscribe');
    assert.ok((await front.answer('<', subscribed)).result);
    await upstream.message('>', `a subscription of ${uri}`, (m) => m.params?.notifications?.resourceSubscriptions?.includes(uri));
  }
  for (const wire of [wires.upstream, wires.front]) {
    const { result } = await wire.answer('<', await wire.request('>', 'resources/list'));
    assert.deepEqual(result.resources.map((r) => r.uri), kept.map(([uri]) => uri));
  }
  await desk.picture('opened');
}

// A resource of a template is opened with what the person has typed for it, or what the
// server has suggested.
export async function template(desk) {
  const { front, upstream } = desk.mark();
  await listed(desk, 'item', 'Resource template: desk://item/{id}');
  const suggested = desk.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^grace/ });
  await suggested.waitFor();
  await desk.picture('suggestions');
  await suggested.click();
  await shown(desk, 'text of desk://item/grace');
  for (const wire of [front, upstream]) {
    const asked = await wire.request('>', 'completion/complete');
    assert.deepEqual(asked.params.ref, { type: 'ref/resource', uri: 'desk://item/{id}' });
    assert.deepEqual((await wire.answer('<', asked)).result.completion.values, ['ada', 'alan', 'grace']);
    assert.equal((await wire.request('>', 'resources/read')).params.uri, 'desk://item/grace');
  }
  await desk.picture('opened');
}

// What is open is read again when the server says that it has changed. The editor does
// not look again at what it has read in the last seconds, so it is told until it does.
export async function updated(desk) {
  for (const [uri, form] of kept) {
    const { front, upstream } = desk.mark();
    await browse(desk, uri);
    await until('changed text', async () => {
      await (await desk.call('mcp_desk_touch', { uri }))();
      return (await desk.editor.inside(text)).startsWith(`text of ${uri}, changed`);
    });
    await front.message('<', `an update of ${form}`, (m) => m.method === 'notifications/resources/updated' && form.test(m.params.uri));
    await upstream.message('<', `an update of ${uri}`, (m) => m.method === 'notifications/resources/updated' && m.params.uri === uri);
  }
  await desk.shows(', changed');
  await desk.picture('changed');
}

// A resource that was closed is not read again when it changes. The server goes on saying
// that it has, since the editor has told nobody that it looks no more.
export async function closed(desk) {
  const [[uri]] = kept;
  await browse(desk, uri);
  await desk.editor.command('workbench.action.closeAllEditors');
  await desk.page.locator('.editor-instance .view-line').first().waitFor({ state: 'hidden' });
  const { front, upstream } = desk.mark();
  await (await desk.call('mcp_desk_touch', { uri }))();
  for (const wire of [upstream, front]) assert.equal((await wire.request('<', 'notifications/resources/updated')).params.uri, uri);
  await (await desk.call('mcp_desk_echo'))();
  for (const wire of [upstream, front]) {
    assert.deepEqual(wire.method('>', 'resources/read'), []);
    assert.deepEqual(wire.method('>', 'resources/unsubscribe'), []);
  }
  await desk.picture('closed');
}

// New tools, prompts and resources are there without a restart, and go again.
export async function listChanged(desk) {
  const { front, upstream } = desk.mark();
  await (await desk.call('mcp_desk_flip'))();
  await until('tool extra', async () => (await desk.tools()).includes('mcp_desk_extra'));
  await upstream.request('>', 'tools/list');
  await upstream.request('>', 'prompts/list');
  for (const kind of ['tools', 'prompts', 'resources']) {
    await front.request('<', `notifications/${kind}/list_changed`);
    assert.equal(front.method('<', `notifications/${kind}/list_changed`).length, 1);
  }
  await slash(desk, '/mcp.desk');
  await desk.page.locator('.suggest-widget').getByText('there after flip').waitFor();
  await desk.picture('there');
  await browse(desk, 'desk://extra/note');
  await (await desk.call('mcp_desk_flip'))();
  await until('end of the tool extra', async () => !(await desk.tools()).includes('mcp_desk_extra'));
}

// slash writes the beginning of a command into the input of the conversation.
async function slash(desk, start) {
  await desk.keys('Escape');
  await desk.editor.command('workbench.action.chat.open');
  await desk.page.locator('.interactive-session .chat-editor-container').last().click();
  await desk.keys('Control+A', 'Backspace');
  await desk.page.keyboard.type(start);
}

// A prompt is a command, whose arguments the server completes: the second by the first.
export async function completion(desk) {
  const { front, upstream } = desk.mark();
  await slash(desk, '/mcp.desk');
  const rows = desk.page.locator('.suggest-widget .monaco-list-row');
  await rows.filter({ hasText: 'desk.plain' }).waitFor();
  await desk.picture('prompts');
  await rows.filter({ hasText: 'desk.greet' }).first().click();
  await desk.wizard('Value for: who');
  await desk.page.keyboard.type('al');
  await front.message('>', 'a completion of al', (m) => m.params?.argument?.value === 'al');
  await upstream.message('>', 'a completion of al', (m) => m.params?.argument?.value === 'al');
  const row = desk.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^alan/ });
  await row.waitFor();
  await desk.picture('suggestions');
  await row.click();
  await desk.wizard('Value for: where');
  const second = desk.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /^home of alan/ });
  await second.waitFor();
  await desk.picture('second');
  await second.click();
  const values = { who: 'alan', where: 'home of alan' };
  for (const wire of [front, upstream]) assert.deepEqual((await wire.request('>', 'prompts/get')).params.arguments, values);
  await desk.shows('prompt greet alan home of alan');
  await desk.picture('prompt');
}

// The level that a person chooses for the log of the server is the server's, each time.
export async function logLevel(desk) {
  await desk.log();
  const severe = ['error', 'critical', 'alert', 'emergency'];
  await logsFrom(desk, 'Error', severe);
  await desk.logged('desk: words at emergency');
  assert.equal(await desk.text('desk: words at warning').count(), 0);
  await desk.picture('log');
  await logsFrom(desk, 'Info', ['info', 'notice', 'warning', ...severe]);
  await desk.logged('desk: words at info');
}

// logsFrom chooses a level in the menu of the log that is shown, and wants the server to be
// asked for it and the editor to get what is at these levels.
async function logsFrom(desk, name, levels) {
  const { front, upstream } = desk.mark();
  await desk.page.locator('.panel [aria-label="Set Log Level..."]').filter({ visible: true }).click();
  await desk.page.locator('.monaco-menu').getByText(name, { exact: true }).click();
  assert.equal((await front.request('>', 'logging/setLevel')).params.level, levels[0]);
  await (await desk.call('mcp_desk_log'))();
  assert.equal((await upstream.request('>', 'tools/call')).params._meta['io.modelcontextprotocol/logLevel'], levels[0]);
  for (const wire of [upstream, front]) assert.deepEqual(wire.method('<', 'notifications/message').map((m) => m.params.level), levels);
}
