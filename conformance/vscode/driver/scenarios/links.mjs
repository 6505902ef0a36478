import assert from 'node:assert/strict';
import { until } from '../until.mjs';
import { pick } from './forms.mjs';

const url = `https://Desk.example/confirm?item=%2F1&long=${'x'.repeat(40)}#part`;
const shown = url.replace('Desk', 'desk');

const answered = (action) => `answered {"link":{"action":"${action}"}}`;

// opened waits until the editor has opened the URL in the browser.
function opened(desk, url = shown) {
  const address = url.replace('#part', '');
  return until(`page ${address}`, () => desk.editor.opened.some((u) => u.replace('#part', '') === address));
}

// acted wants an action to have reached the server on both wires.
async function acted({ front, upstream }, action) {
  const question = await front.request('<', 'elicitation/create');
  assert.deepEqual((await front.answer('>', question)).result, { action });
  assert.deepEqual(upstream.method('>', 'tools/call')[1].params.inputResponses, { link: { action } });
}

// Outside a conversation the message has the whole URL, and the editor asks again before
// it opens a site that it does not know.
export async function message(desk) {
  const wires = desk.mark();
  const ended = await desk.call('mcp_desk_link', { url });
  await desk.page.locator('.notification-toast').getByText(shown).waitFor();
  await desk.picture('message');
  const question = await wires.front.request('<', 'elicitation/create');
  assert.equal(question.params.mode, 'url');
  assert.equal(question.params.url, shown);
  await desk.toast('Open URL');
  await desk.page.locator('.monaco-dialog-box').getByText(shown).waitFor();
  await desk.picture('site');
  await desk.dialog(/^Open$/);
  assert.equal((await ended()).text, answered('accept'));
  await opened(desk);
  await acted(wires, 'accept');
}

// In a conversation it is a part of the answer, with the host on the button.
export async function part(desk) {
  let wires = desk.mark();
  const shownPart = shown.replace('%2F1', '%2F2'); // a page that was not opened yet
  let ended = await desk.chat('mcp_desk_link', { url: shownPart });
  await desk.shows('Authorization Required');
  await desk.page.locator('.interactive-session').getByRole('button', { name: 'Open desk.example' }).waitFor();
  const code = desk.page.locator('.interactive-session .view-line').filter({ hasText: 'confirm?item' }).last();
  assert.equal((await code.textContent()).replaceAll('\u00a0', ' '), shownPart);
  await desk.picture('part');
  await desk.press('.interactive-session', 'Open desk.example');
  await desk.dialog(/^Open$/);
  assert.equal((await ended()).text, answered('accept'));
  await opened(desk, shownPart);
  await acted(wires, 'accept');
  await desk.picture('opened');

  wires = desk.mark();
  ended = await desk.chat('mcp_desk_link', { url });
  await desk.press('.interactive-session', /^Cancel$/);
  assert.equal((await ended()).text, answered('decline'));
  await acted(wires, 'decline');
}

// The site is not opened after all, or the message is taken away.
export async function declined(desk) {
  let wires = desk.mark();
  let ended = await desk.call('mcp_desk_link', { url });
  await desk.toast('Open URL');
  await desk.dialog(/^Cancel$/);
  assert.equal((await ended()).text, answered('decline'));
  await acted(wires, 'decline');
  wires = desk.mark();
  ended = await desk.call('mcp_desk_link', { url });
  assert.equal((await desk.dismiss(ended)).text, answered('cancel'));
  await acted(wires, 'cancel');
}

// A site whose page was opened is not opened again when the server asks for it once more:
// the person says when all is done there.
export async function again(desk) {
  const { front, upstream } = desk.mark();
  const ended = await desk.chat('mcp_desk_again', { url });
  await desk.press('.interactive-session', 'Open desk.example');
  await desk.dialog(/^Open$/);
  await desk.shows('Finish in the browser, then choose Continue here.');
  await desk.picture('continue');
  await pick(desk, '', 'Continue');
  assert.equal((await ended()).text, answered('accept'));
  assert.deepEqual(front.method('<', 'elicitation/create').map((m) => m.params.mode), ['url', 'form']);
  assert.equal(front.method('<', 'notifications/elicitation/complete').length, 1);
  assert.deepEqual(upstream.method('>', 'tools/call').map((m) => m.params.inputResponses),
    [undefined, { link: { action: 'accept' } }, { link: { action: 'accept' } }]);
}

const neverOpened = [
  'http://desk.example/', 'javascript:alert(1)', 'file:///etc/passwd', 'vscode://file/etc/passwd', 'command:workbench.action.quit',
  'data:text/html,x', 'https://user:word@desk.example/', 'https:\\\\desk.example/',
];

// What should not be opened is not shown either, in a conversation or outside.
export async function refused(desk) {
  const { front, upstream } = desk.mark();
  const seen = desk.editor.opened.length;
  for (const bad of neverOpened) {
    const inside = await desk.chat('mcp_desk_link', { url: bad });
    assert.equal((await inside()).text, answered('decline'), bad);
    const outside = await desk.call('mcp_desk_link', { url: bad });
    assert.equal((await outside()).text, answered('decline'), bad);
  }
  assert.deepEqual(front.questions(), []);
  const [first, retry] = [undefined, { link: { action: 'decline' } }];
  assert.deepEqual(upstream.method('>', 'tools/call').map((m) => m.params.inputResponses), neverOpened.flatMap(() => [first, retry, first, retry]));
  for (const text of ['Authorization Required', 'This will open']) assert.equal(await desk.text(text).count(), 0, text);
  assert.equal(await desk.page.locator('.notification-toast').count(), 0);
  assert.equal(desk.editor.opened.length, seen);
  await desk.picture('nothing-asked');
}
