// An editor-like client of revision 2025-11-25 on the TypeScript SDK v1: it
// answers what a server asks, and remembers what a server tells.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as T from '@modelcontextprotocol/sdk/types.js';

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// until waits for ok() to hold, at most ms, and says whether it did.
export async function until(ok, ms) {
  const end = Date.now() + ms;
  while (!ok() && Date.now() < end) await sleep(20);
  return ok();
}

// valueFor makes up an answer that a property of a form allows.
function valueFor(schema) {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return schema.oneOf[0].const;
  switch (schema.type) {
    case 'boolean': return true;
    case 'array': return [];
    case 'number':
    case 'integer': return schema.minimum ?? 1;
  }
  const byFormat = {
    email: 'a@example.com', uri: 'https://example.com', date: '2026-01-01', 'date-time': '2026-01-01T00:00:00Z',
  };
  return byFormat[schema.format] ?? 'Ada';
}

export class Editor {
  constructor(command, args, timeout) {
    this.timeout = timeout;
    this.formAnswer = 'accept';
    this.seen = { forms: [], sampling: [], roots: 0, log: [], updated: [], tools: 0, progress: [] };
    this.client = new Client(
      { name: 'Visual Studio Code', version: '1.120.0' },
      { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } } },
    );
    this.#answer();
    this.#listen();
    this.transport = new StdioClientTransport({ command, args, stderr: 'inherit', env: process.env });
    this.#watch();
  }

  #answer() {
    this.client.setRequestHandler(T.ElicitRequestSchema, async ({ params }) => {
      this.seen.forms.push(params);
      if (this.formAnswer !== 'accept' || params.mode === 'url') return { action: this.formAnswer };
      const fields = Object.entries(params.requestedSchema.properties);
      return { action: 'accept', content: Object.fromEntries(fields.map(([name, s]) => [name, valueFor(s)])) };
    });
    this.client.setRequestHandler(T.CreateMessageRequestSchema, async ({ params }) => {
      this.seen.sampling.push(params);
      return { role: 'assistant', model: 'fake', stopReason: 'endTurn', content: { type: 'text', text: 'Paris' } };
    });
    this.client.setRequestHandler(T.ListRootsRequestSchema, async () => {
      this.seen.roots++;
      return { roots: [{ uri: 'file:///workspace', name: 'workspace' }] };
    });
  }

  #listen() {
    this.client.setNotificationHandler(T.LoggingMessageNotificationSchema, (n) => { this.seen.log.push(n.params); });
    this.client.setNotificationHandler(T.ResourceUpdatedNotificationSchema, (n) => { this.seen.updated.push(n.params.uri); });
    this.client.setNotificationHandler(T.ToolListChangedNotificationSchema, () => { this.seen.tools++; });
  }

  // What the SDK does not tell is read here: the revision that was agreed on, which is
  // in the first result, and progress, of which it loses what comes in one read with
  // the answer.
  #watch() {
    let handler;
    Object.defineProperty(this.transport, 'onmessage', {
      get: () => handler,
      set: (next) => {
        handler = (message, extra) => {
          this.version ??= message.result?.protocolVersion;
          if (message.method === 'notifications/progress') this.seen.progress.push(message.params);
          return next(message, extra);
        };
      },
    });
  }

  // call calls a tool, which is [name, arguments].
  call([name, args], options) {
    return this.client.callTool({ name, arguments: args }, undefined, { timeout: this.timeout, ...options });
  }

  lacks(capability) {
    const has = this.client.getServerCapabilities() ?? {};
    return capability === 'subscribe' ? !has.resources?.subscribe : !has[capability];
  }

  alive() {
    try { process.kill(this.transport.pid, 0); return true; } catch { return false; }
  }
}
