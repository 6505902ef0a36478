import assert from 'node:assert/strict';
import { card } from '../desk.mjs';
import { fill } from './forms.mjs';

// A person sees how far the work is.
export async function progress(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_wait');
  await front.request('<', 'notifications/progress');
  await desk.shows('a quarter is done');
  await desk.picture('quarter');
  const asked = await front.request('>', 'tools/call');
  const said = await front.request('<', 'notifications/progress');
  assert.equal(said.params.progressToken, asked.params._meta.progressToken);
  const passed = await upstream.request('>', 'tools/call');
  assert.notEqual(passed.params._meta.progressToken, asked.params._meta.progressToken);
  await (await desk.call('mcp_desk_release'))();
  assert.equal((await ended()).text, 'work is done');
}

// cancelled wants the editor to have cancelled its call, and returns that.
async function cancelled(front) {
  const asked = await front.request('>', 'tools/call');
  assert.equal((await front.request('>', 'notifications/cancelled')).params.requestId, asked.id);
  return asked;
}

// over wants nothing to be heard of a cancelled call: its round goes no further, and the
// editor gets no answer. A later call is behind all that could come.
async function over(desk, { front, upstream }, asked, rounds = 1) {
  await (await desk.call('mcp_desk_echo', { text: 'after' }))();
  const names = upstream.method('>', 'tools/call').map((m) => m.params.name);
  assert.deepEqual(names, [...Array(rounds).fill(asked.params.name), 'echo']);
  assert.deepEqual(front.find('<', (m) => m.id === asked.id && !m.method), []);
}

// Stop while the server works.
export async function stopWork(desk) {
  const wires = desk.mark();
  const { front, upstream } = wires;
  const ended = await desk.chat('mcp_desk_wait');
  await front.request('<', 'notifications/progress');
  await desk.shows('a quarter is done');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  const asked = await cancelled(front);
  const passed = await upstream.request('>', 'tools/call');
  assert.equal((await upstream.request('>', 'notifications/cancelled')).params.requestId, passed.id);
  await over(desk, wires, asked);
  await desk.picture('stopped');
}

// Stop while the server works with an answer: it is the later request that is cancelled.
export async function stopLater(desk) {
  const wires = desk.mark();
  const { front, upstream } = wires;
  const ended = await desk.chat('mcp_desk_later');
  await fill(desk, 'Your name', 'Bo');
  await front.request('<', 'notifications/progress');
  await desk.shows('a quarter is done');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  const asked = await cancelled(front);
  const [, retry] = upstream.method('>', 'tools/call');
  assert.equal((await upstream.request('>', 'notifications/cancelled')).params.requestId, retry.id);
  await over(desk, wires, asked, 2);
  await desk.picture('stopped');
}

// Stop while a form is open: it goes, and its late answer stays here.
export async function stopForm(desk) {
  const wires = desk.mark();
  const { front } = wires;
  const ended = await desk.chat('mcp_desk_form', { kind: 'name' });
  const open = desk.page.locator(`${card}:not(.chat-question-carousel-used)`);
  await open.getByText('Your name').waitFor();
  const question = await front.request('<', 'elicitation/create');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  await open.waitFor({ state: 'hidden' });
  const asked = await cancelled(front);
  assert.equal((await front.answer('>', question)).result.action, 'cancel');
  await over(desk, wires, asked);
  await desk.picture('stopped');
}

// Stop outside a conversation leaves the message there; its answer, much later, goes
// nowhere.
export async function stopMessage(desk) {
  const wires = desk.mark();
  const { front } = wires;
  const ended = await desk.call('mcp_desk_form', { kind: 'name' });
  await desk.shows('Fill in the form name');
  await ended.stop();
  assert.match((await ended()).error, /cancel/i);
  const asked = await cancelled(front);
  await desk.picture('left');
  const question = await front.request('<', 'elicitation/create');
  await desk.toast('Respond');
  await desk.wizard('Your name');
  await desk.type('late');
  assert.equal((await front.answer('>', question)).result.action, 'accept');
  await over(desk, wires, asked);
}

// Stop while a link is shown.
export async function stopLink(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_link', { url: 'https://desk.example/' });
  await desk.shows('Authorization Required');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  await over(desk, wires, await cancelled(wires.front));
  await desk.picture('stopped');
}
