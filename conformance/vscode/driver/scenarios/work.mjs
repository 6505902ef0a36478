import assert from 'node:assert/strict';

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

// cancelled wants the newest call to be cancelled at the server, and to have no answer on
// the front wire.
async function cancelled(front, upstream) {
  const asked = await front.request('>', 'tools/call');
  assert.equal((await front.request('>', 'notifications/cancelled')).params.requestId, asked.id);
  const calls = upstream.method('>', 'tools/call');
  return { asked, calls };
}

// Stop while the server works.
export async function stopWork(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_wait');
  await front.request('<', 'notifications/progress');
  await desk.shows('a quarter is done');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  const { asked, calls } = await cancelled(front, upstream);
  assert.equal((await upstream.request('>', 'notifications/cancelled')).params.requestId, calls[0].id);
  await (await desk.call('mcp_desk_echo', { text: 'after' }))();
  assert.deepEqual(front.find('<', (m) => m.id === asked.id && !m.method), []);
  await desk.picture('stopped');
}

// Stop while a form is open: it goes, and its late answer stays here.
export async function stopForm(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_form', { kind: 'name' });
  const card = desk.page.locator('.chat-question-carousel-container:not(.chat-question-carousel-used)');
  await card.getByText('Your name').waitFor();
  const question = await front.request('<', 'elicitation/create');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  await card.waitFor({ state: 'hidden' });
  const { asked, calls } = await cancelled(front, upstream);
  assert.equal((await front.answer('>', question)).result.action, 'cancel');
  await (await desk.call('mcp_desk_echo', { text: 'after' }))();
  assert.equal(calls.length, 1);
  assert.equal(upstream.find('>', (m) => m.params?.inputResponses).length, 0);
  assert.deepEqual(front.find('<', (m) => m.id === asked.id && !m.method), []);
  await desk.picture('stopped');
}

// Stop outside a conversation leaves the message there; its answer, much later, goes
// nowhere.
export async function stopMessage(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.call('mcp_desk_form', { kind: 'name' });
  await desk.shows('Fill in the form name');
  await ended.stop();
  assert.match((await ended()).error, /cancel/i);
  const { asked } = await cancelled(front, upstream);
  await desk.picture('left');
  const question = await front.request('<', 'elicitation/create');
  await desk.toast('Respond');
  await desk.wizard('Your name');
  await desk.type('late');
  assert.equal((await front.answer('>', question)).result.action, 'accept');
  await (await desk.call('mcp_desk_echo', { text: 'after' }))();
  assert.equal(upstream.find('>', (m) => m.params?.inputResponses).length, 0);
  assert.deepEqual(front.find('<', (m) => m.id === asked.id && !m.method), []);
}

// Stop while a link is shown.
export async function stopLink(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_link', { url: 'https://desk.example/' });
  await desk.shows('Authorization Required');
  await desk.editor.command('workbench.action.chat.cancel');
  assert.match((await ended()).error, /cancel/i);
  await cancelled(front, upstream);
  await (await desk.call('mcp_desk_echo', { text: 'after' }))();
  assert.equal(upstream.find('>', (m) => m.params?.inputResponses).length, 0);
  await desk.picture('stopped');
}
