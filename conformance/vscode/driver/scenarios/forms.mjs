import assert from 'node:assert/strict';
import { card } from '../desk.mjs';

const refusal = 'MPC -32603';

// answers returns what the server has got, of the text of its tool.
function answers(call) {
  return JSON.parse(call.text.replace('answered ', ''));
}

// asked returns the question of a form as the editor has it, and checks that the server
// asked in a result of its own.
async function asked(front, upstream) {
  const question = await front.request('<', 'elicitation/create');
  const round = await upstream.message('<', 'a round', (m) => m.result?.resultType === 'input_required');
  assert.deepEqual(question.params.requestedSchema.properties, Object.values(round.result.inputRequests)[0].params.requestedSchema.properties);
  assert.match(question.id, /^b-/);
  return question;
}

// Outside a conversation a form is a message, then one question after the other.
export async function wizard(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.call('mcp_desk_form', { kind: 'all' });
  await desk.shows('Fill in the form all');
  await desk.picture('message');
  const question = await asked(front, upstream);
  await desk.toast('Respond');
  await desk.wizard('A text (1/7)');
  await desk.type('a text that is much too long for it');
  await desk.wizard('Maximum length is 20');
  await desk.picture('refused');
  await desk.type('short');
  await desk.wizard('A mail address (2/7)');
  await desk.type('a@b.example');
  await desk.wizard('An age (3/7)');
  await desk.type('20');
  await desk.wizard('A yes or no (4/7)');
  await desk.picture('choice');
  await desk.keys('Enter');
  await desk.wizard('A colour (5/7)');
  await desk.keys('ArrowDown', 'Enter');
  await desk.wizard('A size (6/7)');
  await desk.keys('Enter');
  await desk.wizard('Some letters (7/7)');
  await desk.keys('ArrowDown', 'Space', 'Enter');
  const want = { a_text: 'short', b_mail: 'a@b.example', c_age: 20, d_ok: true, e_colour: 'green', f_size: 's', g_many: ['a'] };
  assert.deepEqual(answers(await ended()), { form: { action: 'accept', content: want } });
  assert.deepEqual((await front.answer('>', question)).result.content, want);
  const [, retry] = upstream.method('>', 'tools/call');
  assert.deepEqual(retry.params.inputResponses.form.content, want);
}

// The other kinds of fields: one that has a value already, and one that is left empty.
export async function kinds(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.call('mcp_desk_form', { kind: 'more' });
  await desk.toast('Respond');
  const question = await asked(front, upstream);
  for (const [title, text] of [
    ['A number (1/8)', '1.5'], ['A page (2/8)', 'https://a.example/'], ['A day (3/8)', '2026-11-30'], ['A time (4/8)', '2026-11-30T10:00:00Z'],
  ]) {
    await desk.wizard(title);
    await desk.type(text);
  }
  await desk.wizard('A shape (5/8)');
  await desk.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Square' }).waitFor();
  await desk.picture('names');
  await desk.keys('ArrowDown', 'Enter');
  await desk.wizard('Some sizes (6/8)');
  await desk.keys('ArrowDown', 'Space', 'Enter');
  await desk.wizard('A note (7/8)');
  await desk.picture('default');
  await desk.keys('Enter');
  await desk.wizard('A remark (8/8)');
  await desk.picture('optional');
  await desk.keys('Enter');
  const want = {
    a_number: 1.5, b_page: 'https://a.example/', c_day: '2026-11-30', d_time: '2026-11-30T10:00:00Z', e_shape: 'sq', e_sizes: ['s'], f_note: 'as it was',
  };
  assert.deepEqual(answers(await ended()), { form: { action: 'accept', content: want } });
  assert.deepEqual((await front.answer('>', question)).result.content, want);
}

// A form is declined in the menu of its message, and cancelled by the way of the message.
export async function dismissed(desk) {
  await sent(desk, 'decline', (ended) => desk.decline(ended));
  await sent(desk, 'cancel', async () => {
    await desk.toast('Respond');
    await desk.wizard('Your name');
    await desk.keys('Escape');
  });
  await sent(desk, 'cancel', (ended) => desk.dismiss(ended));
}

// sent wants an action, and nothing else, to reach the server when a form outside a
// conversation is answered so.
async function sent(desk, action, answer) {
  const wires = desk.mark();
  const ended = await desk.call('mcp_desk_form', { kind: 'name' });
  await desk.shows('Fill in the form name');
  await answer(ended);
  assert.deepEqual(answers(await ended()), { form: { action } });
  await acted(wires, action);
}

async function acted({ front, upstream }, action) {
  assert.equal((await front.answer('>', await asked(front, upstream))).result.action, action);
}

// The editor does not look at a pattern; an answer that does not fit stays here.
export async function wrongAnswer(desk) {
  const { front, upstream } = desk.mark();
  let ended = await desk.call('mcp_desk_form', { kind: 'pattern' });
  await desk.toast('Respond');
  await desk.wizard('A code of three digits');
  await desk.type('abc');
  assert.ok((await ended()).error.startsWith(refusal));
  const question = await front.request('<', 'elicitation/create');
  assert.deepEqual((await front.answer('>', question)).result.content, { code: 'abc' });
  assert.equal(upstream.method('>', 'tools/call').length, 1);
  ended = await desk.call('mcp_desk_form', { kind: 'pattern' });
  await desk.toast('Respond');
  await desk.wizard('A code of three digits');
  await desk.type('123');
  assert.deepEqual(answers(await ended()), { form: { action: 'accept', content: { code: '123' } } });
}

// fill answers the question of a conversation that asks for a text.
export async function fill(desk, question, text) {
  const field = desk.page.locator(card).filter({ hasText: question }).locator('input');
  await field.fill(text);
  await field.press('Enter');
}

export function pick(desk, question, text) {
  return desk.page.locator(card).filter({ hasText: question }).locator('.chat-question-list-item').filter({ hasText: text }).click();
}

// In a conversation a form is a row of cards above the input.
export async function cards(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_form', { kind: 'all' });
  await desk.shows('Fill in the form all');
  await desk.picture('first');
  const question = await asked(front, upstream);
  await fill(desk, 'A text', 'a text that is much too long for it');
  await desk.shows('Maximum length is 20');
  await desk.picture('refused');
  await fill(desk, 'A text', 'short');
  await fill(desk, 'A mail address', 'a@b.example');
  await fill(desk, 'An age', '20');
  await pick(desk, 'A yes or no', 'True');
  await pick(desk, 'A colour', 'green');
  await pick(desk, 'A size', 'Large');
  await pick(desk, 'Some letters', 'b');
  await pick(desk, 'Some letters', 'c');
  await desk.picture('last');
  await desk.press(card, 'Submit');
  const want = { a_text: 'short', b_mail: 'a@b.example', c_age: 20, d_ok: true, e_colour: 'green', f_size: 'l', g_many: ['b', 'c'] };
  assert.deepEqual(answers(await ended()), { form: { action: 'accept', content: want } });
  assert.deepEqual((await front.answer('>', question)).result.content, want);
  await desk.picture('answered');
}

// The cross on the card cancels.
export async function leftCard(desk) {
  const wires = desk.mark();
  const ended = await desk.chat('mcp_desk_form', { kind: 'name' });
  await desk.page.locator(`${card} .chat-question-close`).click();
  assert.deepEqual(answers(await ended()), { form: { action: 'cancel' } });
  await acted(wires, 'cancel');
  await desk.picture('left');
}

// The editor would show nothing for a form without a field, and wait for ever.
export async function continued(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_form', { kind: 'empty' });
  await desk.shows('Fill in the form empty');
  await desk.picture('card');
  const question = await front.request('<', 'elicitation/create');
  assert.equal(Object.keys(question.params.requestedSchema.properties).length, 1);
  await pick(desk, '', 'Continue');
  assert.deepEqual(answers(await ended()), { form: { action: 'accept', content: {} } });
  assert.deepEqual(upstream.method('>', 'tools/call')[1].params.inputResponses.form.content, {});
}

// Two questions of one round are asked at once.
export async function both(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_both');
  await fill(desk, 'Your name', 'Bo');
  const got = answers(await ended());
  assert.deepEqual(got.form, { action: 'accept', content: { name: 'Bo' } });
  assert.match(got.roots.roots[0].uri, /^file:\/\/\/.*\/folder$/);
  assert.deepEqual(front.questions(), ['elicitation/create', 'roots/list']);
  assert.equal(upstream.method('>', 'tools/call').length, 2);
}
