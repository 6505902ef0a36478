// What the scenarios are played with: the editor, what its page shows, and the wires
// of each bridge.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { limit, until } from './until.mjs';
import { Wire } from './wire.mjs';

export class Desk {
  editor;
  page;
  wires = {}; // by the name of the server: { front, upstream }
  #record;
  #scenario;
  #pictures = 0;
  #calls = 0;

  constructor(editor, record, servers) {
    this.editor = editor;
    this.page = editor.page;
    this.page.setDefaultTimeout(limit);
    this.#record = record;
    for (const name of servers) {
      const [front, upstream] = ['front', 'upstream'].map((side) => new Wire(path.join(record, `${name}-${side}.jsonl`)));
      this.wires[name] = { front, upstream };
    }
  }

  // during plays a scenario. A picture of what the page shows is kept if it fails.
  async during(name, play) {
    this.#scenario = name;
    this.#pictures = 0;
    try {
      await play();
    } catch (error) {
      await this.picture('failed');
      throw error;
    }
  }

  // picture keeps what a person sees now.
  async picture(what) {
    this.#pictures++;
    await this.page.screenshot({ path: path.join(this.#record, `${this.#scenario}-${this.#pictures}-${what}.png`) });
  }

  // mark returns a place in both wires of a server: what follows is looked for behind
  // it.
  mark(server = 'desk') {
    const { front, upstream } = this.wires[server];
    return { front: new Behind(front), upstream: new Behind(upstream) };
  }

  // call calls a tool as an extension does, and returns a function that waits for the
  // end of the call: { text } or { error }.
  async call(name, input = {}) {
    const key = `call ${++this.#calls}`;
    await this.editor.inside((_, state, args) => state.start(...args), [key, name, input]);
    const ended = () => until(`end of the call of ${name}`, async () => {
      const call = await this.editor.inside((_, state, k) => state.calls[k], key);
      return call.done && call;
    });
    ended.stop = () => this.editor.inside((_, state, k) => state.calls[k].stop(), key);
    return ended;
  }

  // chat has the participant call a tool, and returns a function that waits for the end
  // of the call.
  async chat(name, input = {}) {
    await this.editor.command('notifications.clearAll'); // they would cover it
    await this.editor.inside((_, state) => { state.chat = undefined; });
    await this.editor.command('workbench.action.chat.open', { query: `@desk ${name} ${JSON.stringify(input)}` });
    return () => until(`end of the call of ${name} in chat`, () => this.editor.inside((_, state) => state.chat?.done && state.chat));
  }

  // shows waits until the page shows a text somewhere.
  shows(text) { return this.page.getByText(text).first().waitFor(); }

  // button clicks the first button in a part of the page that has a text.
  button(part, text) { return this.page.locator(part).locator('.monaco-button, button, .action-label').filter({ hasText: text }).first().click(); }

  // log returns what the editor keeps as the log of a server.
  log(server = 'desk') {
    const found = [];
    for (const entry of readdirSync(path.join(this.editor.work, 'user', 'logs'), { recursive: true })) {
      if (entry.includes(`mcpServer.mcp.config.ws0.${server}`)) found.push(path.join(this.editor.work, 'user', 'logs', entry));
    }
    return found.filter(existsSync).map((file) => readFileSync(file, 'utf8')).join('');
  }
}

// A Behind is a wire from a mark on.
class Behind {
  constructor(wire) {
    const mark = wire.mark();
    for (const name of ['find', 'method', 'message', 'request', 'answer']) this[name] = (...args) => wire[name](mark, ...args);
    this.all = () => wire.all().slice(mark);
  }
}
