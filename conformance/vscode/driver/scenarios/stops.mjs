import assert from 'node:assert/strict';
import { card, stop } from '../desk.mjs';
import { until } from '../until.mjs';
import { fill } from './forms.mjs';
import { running } from './processes.mjs';

// cancelled wants the call to have ended for the editor, and the server to have been told
// to stop. It returns the call.
async function cancelled({ front, upstream }, ended, rounds = 1) {
  assert.match((await ended()).error, /cancel/i);
  const asked = await front.request('>', 'tools/call');
  assert.equal((await front.request('>', 'notifications/cancelled')).params.requestId, asked.id);
  const passed = upstream.method('>', 'tools/call');
  assert.equal(passed.length, rounds);
  return { asked, passed: passed.at(-1) };
}

// told wants the server to have been told to stop.
async function told({ upstream }, { passed }) {
  assert.equal((await upstream.request('>', 'notifications/cancelled')).params.requestId, passed.id);
}

// over wants nothing to be heard of a cancelled call: its round goes no further, and the
// editor gets no answer. A later call is behind all that could come.
async function over(desk, { front, upstream }, { asked }, rounds = 1, later = echo) {
  await later(desk);
  const names = upstream.method('>', 'tools/call').map((m) => m.params.name);
  assert.deepEqual(names, [...Array(rounds).fill(asked.params.name), 'echo']);
  assert.deepEqual(front.find('<', (m) => m.id === asked.id && !m.method), []);
}

async function echo(desk) {
  assert.equal((await (await desk.call('mcp_desk_echo', { text: 'after' }))()).text, 'echo after');
}

// Stop before the person has said that the tool may run: it is not run, not even if that
// is said later.
export async function question(desk) {
  const { front, upstream } = desk.mark();
  const part = await desk.chat('mcp_desk_erase', { text: 'never' });
  const allow = desk.page.locator('.interactive-session .monaco-button:visible').filter({ hasText: /^Allow/ });
  await allow.waitFor();
  await desk.halt();
  assert.match((await part()).error, /cancel/i);
  await allow.waitFor({ state: 'hidden' });
  await desk.picture('stopped');
  const dialog = await desk.call('mcp_desk_erase', { text: 'late' });
  await desk.shows('Run Erase a note');
  await dialog.stop();
  await desk.dialog('Yes');
  assert.match((await dialog()).error, /cancel/i);
  await echo(desk);
  for (const wire of [front, upstream]) assert.deepEqual(wire.method('>', 'tools/call').map((m) => m.params.name), ['echo']);
}

// Stop while the server works.
export async function work(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_wait');
  await desk.shows('a quarter is done');
  await desk.halt();
  const call = await cancelled(wires, ended);
  await told(wires, call);
  await over(desk, wires, call);
  await desk.picture('stopped');
}

// Stop while the server works with an answer: it is the later request that is cancelled.
export async function later(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_later');
  await fill(desk, 'Your name', 'Bo');
  await desk.shows('a quarter is done');
  await desk.halt();
  const call = await cancelled(wires, ended, 2);
  await told(wires, call);
  await over(desk, wires, call, 2);
  await desk.picture('stopped');
}

// The answer of a server that had it under way is not heard after Stop.
export async function answered(desk) {
  await desk.start('demo');
  const wires = desk.mark('demo');
  const ended = await desk.chat('mcp_demo-server_watch');
  await desk.press('.interactive-session', /^Allow/);
  await desk.shows('waiting');
  await desk.halt();
  const call = await cancelled(wires, ended);
  await told(wires, call);
  assert.equal((await wires.upstream.answer('<', call.passed)).result.content[0].text, 'released');
  await over(desk, wires, call, 1, echoOfDemo);
  assert.equal(await desk.text('released').count(), 0);
  await desk.picture('stopped');
}

async function echoOfDemo(desk) {
  const ended = await desk.call('mcp_demo-server_echo', { n: 1 });
  await desk.dialog('Yes');
  assert.equal((await ended()).text, '{"n":1}');
}

// Stop while a form is open: it goes, and its late answer stays here.
export async function form(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_form', { kind: 'name' });
  const open = desk.page.locator(`${card}:not(.chat-question-carousel-used)`);
  await open.getByText('Your name').waitFor();
  await desk.halt();
  const call = await cancelled(wires, ended);
  await open.waitFor({ state: 'hidden' });
  assert.equal((await late(wires, 'elicitation/create')).result.action, 'cancel');
  await over(desk, wires, call);
  await desk.picture('stopped');
}

// late waits for the editor's answer to a question, which has come after Stop.
async function late({ front }, method) {
  const answer = await front.answer('>', await front.request('<', method));
  const order = front.find('>', (m) => m.method === 'notifications/cancelled' || m.id === answer.id);
  assert.deepEqual(order.map((m) => m.method), ['notifications/cancelled', undefined]);
  return answer;
}

// Stop outside a conversation leaves the message there; its answer, much later, goes
// nowhere.
export async function message(desk) {
  const wires = desk.mark();
  const ended = await desk.call('mcp_desk_form', { kind: 'name' });
  await desk.shows('Fill in the form name');
  await ended.stop();
  const call = await cancelled(wires, ended);
  await desk.picture('left');
  await desk.toast('Respond');
  await desk.wizard('Your name');
  await desk.type('late');
  assert.equal((await late(wires, 'elicitation/create')).result.action, 'accept');
  await over(desk, wires, call);
}

// Stop while a link is shown leaves it there; to open it later says nothing to the server.
export async function link(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_link', { url: 'https://desk.example/late' });
  await desk.shows('Authorization Required');
  await desk.halt();
  const call = await cancelled(wires, ended);
  await desk.picture('left');
  await desk.press('.interactive-session', 'Open desk.example');
  await desk.dialog(/^Open$/);
  assert.equal((await late(wires, 'elicitation/create')).result.action, 'accept');
  await over(desk, wires, call);
  await desk.picture('opened');
}

// halted stops a conversation whose button for that is behind a dialog, and wants the
// dialog to stay.
async function halted(desk, text) {
  await desk.editor.command('workbench.action.chat.cancel');
  await desk.page.locator('.monaco-dialog-box').getByText(text).waitFor();
}

// Stop while the editor asks about the site.
export async function site(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_link', { url: 'https://site.example/late' });
  await desk.press('.interactive-session', 'Open site.example');
  await desk.shows('Do you want code-server to open the external website?');
  await halted(desk, 'https://site.example/late');
  const call = await cancelled(wires, ended);
  await desk.picture('left');
  await desk.dialog(/^Open$/);
  assert.equal((await late(wires, 'elicitation/create')).result.action, 'accept');
  await over(desk, wires, call);
}

// Stop while the editor asks whether the model may be used. A later yes gives the server
// nothing.
export async function consent(desk) {
  await desk.start('demo');
  const wires = desk.mark('demo');
  const ended = await desk.chat('mcp_demo-server_notes');
  await desk.press('.interactive-session', /^Allow/);
  await desk.shows('The MCP server "demo" has issued a request to make a language model call');
  await halted(desk, 'language model call');
  const call = await cancelled(wires, ended);
  await desk.picture('left');
  await desk.dialog('Allow in this Session');
  assert.equal((await late(wires, 'sampling/createMessage')).result.content.text, 'Paris');
  await over(desk, wires, call, 1, echoOfDemo);
}

// Stop while the editor looks for the roots. It takes no time for that, so the server is
// held until the editor's own process is.
export async function roots(desk) {
  const wires = desk.mark();
  const server = running(desk).at(-1);
  const host = await desk.editor.inside(() => process.pid);
  const hold = (pid) => { process.kill(pid, 'SIGSTOP'); };
  let ended;
  try {
    hold(server);
    ended = await desk.chat('mcp_desk_roots');
    await wires.upstream.request('>', 'tools/call');
    hold(host);
    process.kill(server, 'SIGCONT');
    await wires.front.request('<', 'roots/list');
    await desk.halt();
    await until('end of the button', async () => !await desk.page.locator(stop).isVisible());
  } finally {
    for (const pid of [server, host]) process.kill(pid, 'SIGCONT');
  }
  const call = await cancelled(wires, ended);
  assert.equal((await late(wires, 'roots/list')).result.roots.length, 1);
  await over(desk, wires, call);
  await desk.picture('stopped');
}
