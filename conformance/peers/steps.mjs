// The steps of session-v1.mjs, in the order in which they run. need names the
// entry of the plan without which the step is skipped; capability is what the
// server must have declared where its plan says so.
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { sleep, until } from './editor.mjs';

function must(ok, text) {
  if (!ok) throw new Error(text);
}

const textOf = (result) => (result.content ?? []).map((c) => c.text ?? c.type).join('|');

// refused wants f to fail with one of the codes.
async function refused(codes, f) {
  try {
    await f();
  } catch (e) {
    must(codes.includes(e.code), `${e.code} ${e.message}`);
    return `${e.code}`;
  }
  throw new Error('answered');
}

// badCall wants a call to end in an error of either kind: servers differ.
async function badCall(codes, call) {
  try {
    const result = await call();
    must(result.isError, 'no error');
    return `isError: ${textOf(result)}`;
  } catch (e) {
    must(codes.includes(e.code), e.message);
    return `${e.code}`;
  }
}

// matching wants the text of the result of a call to match.
async function matching({ tool, want }, e) {
  const text = textOf(await e.call(tool));
  must(want.test(text), text);
  return text;
}

async function pages(list, member) {
  const all = [];
  let cursor;
  do {
    const page = await list(cursor === undefined ? {} : { cursor });
    all.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  must(all.length, `no ${member}`);
  return `${all.length} ${member}`;
}

const form = (action) => ({
  name: `form-${action}`, need: 'form',
  async run(e, plan) {
    e.formAnswer = action;
    e.seen.forms.length = 0;
    const result = await e.call(plan.form.tool);
    must(e.seen.forms.length === 1, `${e.seen.forms.length} requests`);
    must(e.seen.forms[0].mode !== 'url', 'mode is url');
    return textOf(result);
  },
});

const opening = [
  {
    name: 'initialize',
    async run(e) {
      await e.client.connect(e.transport);
      const server = e.client.getServerVersion();
      return `${server.name} ${server.version} has ${Object.keys(e.client.getServerCapabilities())}`;
    },
  },
  { name: 'version', async run(e) { must(e.version === '2025-11-25', e.version); return e.version; } },
  { name: 'ping', async run(e) { await e.client.ping(); } },
];

const lists = [
  { name: 'tools', capability: 'tools', run: (e) => pages((p) => e.client.listTools(p), 'tools') },
  { name: 'prompts', capability: 'prompts', run: (e) => pages((p) => e.client.listPrompts(p), 'prompts') },
  { name: 'resources', capability: 'resources', run: (e) => pages((p) => e.client.listResources(p), 'resources') },
  {
    name: 'templates', capability: 'resources',
    run: (e) => pages((p) => e.client.listResourceTemplates(p), 'resourceTemplates'),
  },
];

const calls = [
  { name: 'call', need: 'call', run: (e, plan) => matching(plan.call, e) },
  {
    name: 'structured', need: 'structured',
    async run(e, plan) {
      const result = await e.call(plan.structured.tool);
      must(result.structuredContent, 'no structuredContent');
      return JSON.stringify(result.structuredContent);
    },
  },
  { name: 'bad', need: 'bad', run: (e, plan) => badCall([-32602], () => e.call(plan.bad.tool)) },
  {
    name: 'iserror', need: 'iserror',
    async run(e, plan) {
      const result = await e.call(plan.iserror.tool);
      must(result.isError, 'not isError');
      return textOf(result);
    },
  },
  { name: 'unknown-tool', run: (e) => badCall([-32602, -32601], () => e.call(['no_such_tool', {}])) },
  {
    name: 'unknown-method',
    run: (e) => refused([-32601], () => e.client.request({ method: 'no/such', params: {} }, ResultSchema)),
  },
  {
    name: 'progress', need: 'progress',
    async run(e, plan) {
      e.seen.progress.length = 0;
      await e.call(plan.progress.tool, { onprogress() {} });
      const tokens = new Set(e.seen.progress.map((p) => p.progressToken));
      must(tokens.size === 1, `${tokens.size} tokens`);
      const values = e.seen.progress.map((p) => p.progress);
      must(values.length >= plan.progress.least, `only ${values}`);
      must(values.every((v, i) => i === 0 || v > values[i - 1]), `not increasing: ${values}`);
      return values.join(',');
    },
  },
];

const logging = [
  { name: 'setlevel', capability: 'logging', async run(e) { await e.client.setLoggingLevel('debug'); } },
  {
    name: 'log', need: 'log', capability: 'logging',
    async run(e, plan) {
      await e.client.setLoggingLevel('debug');
      e.seen.log.length = 0;
      await e.call(plan.log.tool);
      must(await until(() => e.seen.log.length, 500), 'none');
      return e.seen.log.map((m) => m.level).join(',');
    },
  },
  {
    name: 'log-filter', need: 'log', capability: 'logging',
    async run(e, plan) {
      await e.client.setLoggingLevel('emergency');
      e.seen.log.length = 0;
      await e.call(plan.log.tool);
      await sleep(200);
      must(e.seen.log.length === 0, `${e.seen.log.length} messages`);
    },
  },
];

const input = [
  form('accept'),
  form('decline'),
  form('cancel'),
  {
    name: 'url', need: 'url',
    async run(e, plan) {
      e.formAnswer = 'accept';
      e.seen.forms.length = 0;
      const result = await e.call(plan.url.tool);
      must(e.seen.forms.length === 1, `${e.seen.forms.length} requests`);
      const [asked] = e.seen.forms;
      must(asked.mode === 'url', `mode is ${asked.mode}`);
      must(asked.elicitationId, 'no elicitationId');
      return `${asked.url} -> ${textOf(result)}`;
    },
  },
  {
    name: 'sampling', need: 'sampling',
    async run(e, plan) {
      e.seen.sampling.length = 0;
      const result = await e.call(plan.sampling.tool);
      must(e.seen.sampling.length === 1, `${e.seen.sampling.length} requests`);
      return textOf(result);
    },
  },
  {
    name: 'roots', need: 'roots',
    async run(e, plan) {
      const result = await e.call(plan.roots.tool);
      must(e.seen.roots > 0, 'roots/list never came');
      return textOf(result);
    },
  },
  { name: 'rounds', need: 'rounds', run(e, plan) { e.formAnswer = 'accept'; return matching(plan.rounds, e); } },
  { name: 'roots-changed', async run(e) { await e.client.sendRootsListChanged(); await e.client.ping(); } },
];

const reading = [
  {
    name: 'prompt', need: 'prompt', capability: 'prompts',
    run: async (e, plan) => (await e.client.getPrompt(plan.prompt)).messages[0].content.text,
  },
  {
    name: 'completion', need: 'complete', capability: 'completions',
    run: async (e, plan) => JSON.stringify((await e.client.complete(plan.complete)).completion.values),
  },
  {
    name: 'read', need: 'read', capability: 'resources',
    run: async (e, plan) => (await e.client.readResource({ uri: plan.read })).contents[0].text,
  },
  {
    name: 'read-unknown', need: 'read', capability: 'resources',
    run: (e) => refused([-32002, -32602], () => e.client.readResource({ uri: 'nope://x' })),
  },
];

const changes = [
  {
    name: 'subscribe', need: 'subscribe', capability: 'subscribe',
    async run(e, plan) { await e.client.subscribeResource({ uri: plan.subscribe.uri }); },
  },
  {
    name: 'updated', need: 'subscribe', capability: 'subscribe',
    async run(e, plan) {
      const { uri, touch, within } = plan.subscribe;
      e.seen.updated.length = 0;
      if (touch) await e.call(touch);
      must(await until(() => e.seen.updated.includes(uri), within), 'no notification');
    },
  },
  {
    name: 'unsubscribe', need: 'subscribe', capability: 'subscribe',
    async run(e, plan) { await e.client.unsubscribeResource({ uri: plan.subscribe.uri }); },
  },
  {
    name: 'tools-changed', need: 'flip', capability: 'tools',
    async run(e, plan) {
      const before = e.seen.tools;
      await e.call(plan.flip.tool);
      must(await until(() => e.seen.tools > before, 2000), 'no notification');
    },
  },
];

const ending = [
  {
    name: 'cancel', need: 'slow',
    async run(e, plan) {
      const abort = new AbortController();
      setTimeout(() => abort.abort('user'), 200);
      try {
        await e.call(plan.slow.tool, { signal: abort.signal });
      } catch (err) {
        await e.client.ping();
        return err.message;
      }
      throw new Error('completed');
    },
  },
  {
    name: 'flight50', need: 'call',
    async run(e, plan) {
      const results = await Promise.all(Array.from({ length: 50 }, () => e.call(plan.call.tool)));
      must(results.every((r) => plan.call.want.test(textOf(r))), 'wrong answer');
      return `${results.length} answers`;
    },
  },
  {
    // The SDK closes the input, and sends a signal 2 s later: the process must be
    // gone before that.
    name: 'exit',
    async run(e) {
      const start = Date.now();
      await e.client.close();
      must(await until(() => !e.alive(), 5000), 'still alive');
      const ms = Date.now() - start;
      must(ms < 1900, `the SDK had to send a signal (${ms} ms)`);
    },
  },
];

export const steps = [
  ...opening, ...lists, ...calls, ...logging, ...input, ...reading, ...changes, ...ending,
];
