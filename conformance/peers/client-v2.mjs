// A session of the TypeScript client SDK v2 with any stdio command: a second
// client, written apart from that of session-v1.mjs.
//
//   node client-v2.mjs --plan ts2026|go [--mode legacy|auto|REVISION] [--want REVISION] -- COMMAND [ARG…]
//
// In mode auto the SDK asks a process of its own with server/discover, and then
// starts the command a second time. It prints lines like those of session-v1.mjs
// and exits 1 if one is FAIL, 2 for wrong use.
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { plans } from './plans.mjs';

const { values, positionals: [command, ...args] } = parseArgs({
  allowPositionals: true,
  options: {
    plan: { type: 'string', default: 'ts2026' },
    mode: { type: 'string', default: 'legacy' },
    want: { type: 'string', default: '2025-11-25' },
  },
});
const plan = plans[values.plan];
if (!plan || !command) {
  console.error('client-v2: no such plan, or no command');
  process.exit(2);
}

const byName = values.mode === 'legacy' || values.mode === 'auto';
const client = new Client({ name: 'client-v2', version: '1.0.0' }, {
  capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
  versionNegotiation: { mode: byName ? values.mode : { pin: values.mode } },
});
client.setRequestHandler('elicitation/create', async ({ params }) => (params.mode === 'url'
  ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada', a: 1, b: true } }));
client.setRequestHandler('sampling/createMessage', async () => ({
  role: 'assistant', model: 'fake', content: { type: 'text', text: 'Paris' },
}));
client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///workspace' }] }));

const count = { ok: 0, FAIL: 0 };

async function step(name, run) {
  const start = performance.now();
  let outcome = 'ok';
  let detail;
  try {
    detail = await run();
  } catch (e) {
    outcome = 'FAIL';
    detail = e.message;
  }
  count[outcome]++;
  const ms = String(Math.round(performance.now() - start)).padStart(6);
  console.log(`${outcome.padEnd(4)}  ${name.padEnd(14)} ${ms} ms  ${detail ?? ''}`.trimEnd());
}

await step('initialize', async () => {
  await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit', env: process.env }));
  return client.getServerVersion()?.name;
});
await step('version', async () => {
  const got = client.getNegotiatedProtocolVersion();
  if (got !== values.want) throw new Error(`${got}`);
  return got;
});
await step('tools', async () => `${(await client.listTools()).tools.length} tools`);
await step('call', async () => {
  const [name, toolArguments] = plan.call.tool;
  const { content } = await client.callTool({ name, arguments: toolArguments });
  if (!plan.call.want.test(content[0].text)) throw new Error(content[0].text);
  return content[0].text;
});
await step('prompt', async () => (await client.getPrompt(plan.prompt)).messages[0].content.text);
await step('read', async () => (await client.readResource({ uri: plan.read })).contents[0].text);
await client.close();
console.log(`${count.ok} passed, ${count.FAIL} failed, 0 skipped`);
process.exitCode = count.FAIL ? 1 : 0;
