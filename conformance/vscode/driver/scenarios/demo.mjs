import assert from 'node:assert/strict';
import { pick } from './forms.mjs';
import { listed } from './tools.mjs';

const offered = ['build', 'deploy', 'echo', 'fail', 'install', 'notes', 'open', 'pay', 'release', 'watch'];

// The tools of the demo's server come in two pages. Nothing of the other revision is in
// them, and no cursor that is null, for which the editor would ask without end.
export async function list(desk) {
  await desk.stop('demo');
  const { front, upstream } = desk.mark('demo');
  await desk.start('demo');
  await upstream.message('>', 'the second page', (m) => m.params?.cursor === 'page-2');
  const tools = (await desk.tools()).filter((name) => name.startsWith('mcp_demo-server_'));
  assert.deepEqual(tools, offered.map((name) => `mcp_demo-server_${name}`));
  for (const wire of [front, upstream]) {
    assert.deepEqual(wire.method('>', 'tools/list').map((m) => m.params.cursor), [undefined, 'page-2']);
  }
  const [first, last] = await answers(front);
  const [said, end] = await answers(upstream);
  assert.deepEqual([end.nextCursor, 'nextCursor' in last], [null, false]);
  assert.deepEqual([said.tools[0].execution, first.tools[0].execution], [{ taskSupport: 'optional' }, undefined]);
  await listed(desk, 'demo-server', 'deploy', 'Deploys a release');
}

const answers = (wire) => Promise.all(wire.method('>', 'tools/list').map(async (m) => (await wire.answer('<', m)).result));

// chat has the participant call a tool that the editor asks about first.
async function chat(desk, name) {
  const ended = await desk.chat(`mcp_demo-server_${name}`);
  await desk.shows(`Run ${name}`);
  await desk.press('.interactive-session', /^Allow/);
  return ended;
}

// Its form and its page to pay on, for which it asks until the bill is paid.
export async function questions(desk) {
  await desk.start('demo');
  let { front, upstream } = desk.mark('demo');
  let ended = await chat(desk, 'release');
  await desk.shows('Release it where?');
  await desk.picture('form');
  await pick(desk, '', 'live');
  assert.equal((await ended()).text, 'released');
  assert.deepEqual((await front.answer('>', await front.request('<', 'elicitation/create'))).result, { action: 'accept', content: { stage: 'live' } });
  assert.equal(upstream.method('>', 'tools/call')[1].params.inputResponses.stage.content.stage, 'live');

  ({ front, upstream } = desk.mark('demo'));
  ended = await chat(desk, 'pay');
  await desk.press('.interactive-session', 'Open pay.example.com');
  await desk.page.locator('.monaco-dialog-box').getByText('https://pay.example.com/7').waitFor();
  await desk.picture('site');
  await desk.dialog(/^Open$/);
  await pick(desk, '', 'Continue');
  assert.equal((await ended()).text, 'paid');
  assert.deepEqual(front.method('<', 'elicitation/create').map((m) => m.params.mode), ['url', 'form']);
  assert.equal(upstream.method('>', 'tools/call').length, 3);
  await desk.shows('paid');
}

// What it asks for in a way that no editor may be asked: a page that is none, and an
// error that would have the editor open one.
export async function refused(desk) {
  await desk.start('demo');
  const { front, upstream } = desk.mark('demo');
  const install = await (await chat(desk, 'install'))();
  assert.match(install.text, /not installed/);
  const open = await (await chat(desk, 'open'))();
  assert.match(open.error, /^MPC -32603/);
  await desk.shows('MPC -32603');
  assert.deepEqual(front.questions(), []);
  assert.equal(await desk.text('Authorization Required').count(), 0);
  const [, declined, failed] = upstream.method('>', 'tools/call');
  assert.deepEqual(declined.params.inputResponses, { setup: { action: 'decline' } });
  assert.equal((await upstream.answer('<', failed)).error.code, -32042);
  await desk.picture('nothing-asked');
}
