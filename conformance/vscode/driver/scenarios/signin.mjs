import assert from 'node:assert/strict';
import { until } from '../until.mjs';

const server = 'guarded';
const over = 'You can close this tab and go back to mcp-bridge-vscode.';

// agree is what a person does where the authorization server asks.
async function agree(desk, page) {
  const agrees = page.getByRole('button', { name: 'Continue' });
  await agrees.waitFor();
  await desk.picture('agree', page);
  await agrees.click();
  await page.getByText(over).waitFor();
  await desk.picture('over', page);
}

// A server that wants a sign-in is started: a browser opens, and when the person has signed
// in there, the tools are there. A start after that opens none.
export async function first(desk) {
  await desk.stopped(server);
  const before = desk.person.started().length;
  const { front } = desk.mark(server);
  const started = desk.start(server);
  started.catch(() => {}); // what else fails here is the reason
  const page = await desk.person.start(before + 1);
  await page.getByPlaceholder('Enter any login').fill('grace');
  await page.getByPlaceholder('and password').fill('password');
  await desk.picture('waiting');
  await desk.picture('login', page);
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await agree(desk, page);
  await started;
  assert.ok((await desk.tools()).includes('mcp_guarded_whoami'));
  assert.equal((await front.answer('<', await front.request('>', 'initialize'))).error, undefined);
  assert.equal((await (await desk.chat('mcp_guarded_whoami'))()).text, 'grace');
  await desk.picture('signed-in');
  await desk.stopped(server);
  await desk.start(server);
  assert.equal((await (await desk.chat('mcp_guarded_whoami'))()).text, 'grace');
  assert.equal(desk.person.started().length, before + 1);
}

// A call that needs more asks in the conversation. The whole URL is shown, and when the person
// has agreed on its page, the call goes on and the question is gone.
export async function stepUp(desk) {
  await desk.start(server);
  const before = desk.person.started().length;
  const { front } = desk.mark(server);
  const ended = await desk.chat('mcp_guarded_write');
  await desk.shows('Run write');
  await desk.press('.interactive-session', /^Allow/);
  await desk.shows('Authorization Required');
  const { params } = await front.request('<', 'elicitation/create');
  assert.equal(params.mode, 'url');
  const { host, searchParams } = new URL(params.url);
  await desk.page.locator('.interactive-session').getByRole('button', { name: `Open ${host}` }).waitFor();
  await desk.picture('question');
  await desk.press('.interactive-session', `Open ${host}`);
  // The editor leads to a site of this machine by a way of its own.
  const isIt = (url) => new URL(url).searchParams.get('state') === searchParams.get('state');
  await until(() => `page ${params.url} among ${desk.editor.opened}`, () => desk.editor.opened.some(isIt));
  await agree(desk, await desk.person.go(params.url));
  assert.equal((await ended()).text, 'written');
  const [told] = front.method('<', 'notifications/elicitation/complete');
  assert.equal(told.params.elicitationId, params.elicitationId);
  await desk.picture('written');
  assert.equal(desk.person.started().length, before);
  assert.equal(front.questions().length, 1);
}
