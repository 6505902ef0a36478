// A server of revision 2026-07-28 and nothing older, on the TypeScript SDK v2.
//
//   node server-2026.mjs [--http PORT] [--dual]
//
// It serves stdio, or http://127.0.0.1:PORT/mcp. With --dual it also serves
// clients of older revisions, by what the SDK has for them.
import http from 'node:http';
import { parseArgs } from 'node:util';
import {
  McpServer, ResourceTemplate, acceptedContent, completable, createMcpHandler, createRequestStateCodec,
  inputRequired, inputResponse,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { localhostHostValidation, toNodeHandler } from '@modelcontextprotocol/node';
import * as z from 'zod/v4';

const { values: options } = parseArgs({ options: { http: { type: 'string' }, dual: { type: 'boolean' } } });
const state = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)), ttlSeconds: 600 });
const text = (s) => ({ content: [{ type: 'text', text: s }] });

let extraShown = false;
let publish; // { tools(), resource(uri, server) }: set by the transport below

const askForm = (message, properties, more = {}) => inputRequired.elicit({
  message, requestedSchema: { type: 'object', properties, ...more },
});

// answerTo returns the answer of the client to an input request, or undefined in
// the round in which it was not asked yet.
function answerTo(ctx, key) {
  const answer = inputResponse(ctx.mcpReq.inputResponses, key);
  return answer.kind === 'missing' ? undefined : answer;
}

async function work({ steps, delayMs }, ctx) {
  const token = ctx.mcpReq._meta?.progressToken;
  for (let i = 1; i <= steps; i++) {
    if (ctx.mcpReq.signal.aborted) return text('aborted');
    await new Promise((done) => setTimeout(done, delayMs));
    if (token !== undefined) {
      const params = { progressToken: token, progress: i, total: steps, message: `step ${i}` };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
    }
    await ctx.mcpReq.log(i === steps ? 'warning' : 'debug', { step: i }, 'work');
  }
  return text('done');
}

function addPlainTools(server) {
  const message = z.object({ text: z.string() });
  server.registerTool('echo', { description: 'echo', inputSchema: message, outputSchema: message },
    async (args) => ({ ...text(args.text), structuredContent: { text: args.text } }));
  server.registerTool('fail', { description: 'a result with isError' },
    async () => ({ isError: true, ...text('failed on purpose') }));
  server.registerTool('throw', { description: 'a handler that throws' }, async () => { throw new Error('boom'); });
  server.registerTool('work', {
    description: 'progress and log messages',
    inputSchema: z.object({ steps: z.number().int(), delayMs: z.number().int().default(5) }),
  }, work);
  server.registerTool('region', {
    description: 'an argument that HTTP carries in a header',
    inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  }, async ({ region }) => text(region));
}

async function askName(ctx) {
  const answer = answerTo(ctx, 'name');
  if (!answer) {
    const name = askForm('Your name?', {
      name: { type: 'string', minLength: 1 }, size: { type: 'string', enum: ['s', 'm', 'l'], default: 'm' },
    }, { required: ['name'] });
    return inputRequired({ inputRequests: { name }, requestState: await state.mint({ step: 1 }) });
  }
  if (answer.kind === 'elicit' && answer.action === 'accept') return text(`hello ${answer.content?.name}`);
  return text(`no name: ${answer.kind === 'elicit' ? answer.action : answer.kind}`);
}

async function openLink(ctx) {
  const answer = answerTo(ctx, 'link');
  if (answer) return text(`link ${answer.kind === 'elicit' ? answer.action : answer.kind}`);
  const link = inputRequired.elicitUrl({ message: 'Open this', url: 'https://example.com/consent?x=1' });
  return inputRequired({ inputRequests: { link } });
}

async function askModel(ctx) {
  const answer = answerTo(ctx, 'model');
  if (answer) return text(`model said ${JSON.stringify(answer.kind === 'sampling' ? answer.result.content : answer.kind)}`);
  const model = inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
    maxTokens: 50,
    systemPrompt: 'be brief',
  });
  return inputRequired({ inputRequests: { model } });
}

async function askRoots(ctx) {
  const answer = answerTo(ctx, 'roots');
  if (answer) return text(`roots ${JSON.stringify(answer.kind === 'roots' ? answer.roots.map((r) => r.uri) : answer.kind)}`);
  return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
}

// Roots and a form, then a second form, then a round with nothing but the state.
async function twoRounds(ctx) {
  const { round, a, b } = ctx.mcpReq.requestState() ?? { round: 0 };
  const answers = ctx.mcpReq.inputResponses;
  switch (round) {
    case 0:
      return inputRequired({
        inputRequests: { r: inputRequired.listRoots(), a: askForm('a?', { a: { type: 'number' } }) },
        requestState: await state.mint({ round: 1 }),
      });
    case 1:
      return inputRequired({
        inputRequests: { b: askForm('b?', { b: { type: 'boolean' } }) },
        requestState: await state.mint({ round: 2, a: acceptedContent(answers, 'a')?.a ?? null }),
      });
    case 2:
      return inputRequired({
        requestState: await state.mint({ round: 3, a, b: acceptedContent(answers, 'b')?.b ?? null }),
      });
  }
  return text(`final ${JSON.stringify({ a, b })}`);
}

function addAskingTools(server) {
  server.registerTool('ask_name', { description: 'a form' }, askName);
  server.registerTool('open_link', { description: 'a URL to open' }, openLink);
  server.registerTool('ask_model', { description: 'sampling' }, askModel);
  server.registerTool('ask_roots', { description: 'roots' }, askRoots);
  server.registerTool('two_rounds', { description: 'several rounds' }, twoRounds);
}

function addChangingTools(server) {
  const extra = server.registerTool('extra', { description: 'there after flip' }, async () => text('extra'));
  if (!extraShown) extra.disable();
  server.registerTool('flip', { description: 'shows or hides extra' }, async () => {
    extraShown = !extraShown;
    extra.update({ enabled: extraShown });
    publish.tools();
    return text(String(extraShown));
  });
  server.registerTool('touch', { description: 'says that memo://one was updated' }, async () => {
    await publish.resource('memo://one', server);
    return text('touched');
  });
}

function addReading(server) {
  server.registerResource('one', 'memo://one', { description: 'static', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'memo one' }] }));
  server.registerResource('item', new ResourceTemplate('memo://item/{id}', { list: undefined }), { description: 'template' },
    async (uri, { id }) => ({ contents: [{ uri: uri.href, text: `item ${id}` }] }));
  const names = ['ada', 'alan', 'grace'];
  const who = completable(z.string(), (start) => names.filter((name) => name.startsWith(start)));
  server.registerPrompt('greet', { description: 'a greeting', argsSchema: z.object({ who }) },
    (args) => ({ messages: [{ role: 'user', content: { type: 'text', text: `greet ${args.who}` } }] }));
}

function build() {
  const server = new McpServer({ name: 'ts-2026-only', version: '1.0.0', title: 'TS v2 peer' }, {
    capabilities: {
      tools: { listChanged: true }, resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true }, logging: {}, completions: {},
    },
    instructions: 'peer for bridge tests',
    requestState: { verify: state.verify },
  });
  addPlainTools(server);
  addAskingTools(server);
  addChangingTools(server);
  addReading(server);
  return server;
}

function overStdio() {
  publish = { tools() {}, resource: (uri, server) => server.server.sendResourceUpdated({ uri }) };
  serveStdio(build, {
    legacy: options.dual ? 'serve' : 'reject', onerror: (e) => console.error('server-2026:', e.message),
  });
}

function overHTTP(port) {
  const handler = createMcpHandler(build, { legacy: options.dual ? 'stateless' : 'reject' });
  publish = { tools: () => handler.notify.toolsChanged(), resource: (uri) => handler.notify.resourceUpdated(uri) };
  const node = toNodeHandler(handler);
  const known = localhostHostValidation();
  const server = http.createServer((q, r) => { if (known(q, r)) node(q, r); });
  server.listen(port, '127.0.0.1', () => console.error(`http://127.0.0.1:${server.address().port}/mcp`));
}

if (options.http === undefined) overStdio();
else overHTTP(Number(options.http));
