// What the scenarios are played with: the editor, what its page shows, and the wires
// of each bridge.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limit, until } from './until.mjs';
import { Wire } from './wire.mjs';

export class Desk {
  editor;
  page;
  person; // who has a browser beside the editor
  wires = {}; // by the name of the server: { front, upstream }
  #record;
  #scenario;
  #marks; // of all servers, at the start of the scenario
  #pictures = 0;
  #calls = 0;

  constructor(editor, record, servers, person) {
    this.editor = editor;
    this.person = person;
    this.page = editor.page;
    this.page.setDefaultTimeout(limit);
    this.#record = record;
    for (const name of servers) {
      const [front, upstream] = ['front', 'upstream'].map((side) => new Wire(path.join(record, `${name}-${side}.jsonl`)));
      this.wires[name] = { front, upstream };
    }
  }

  // during plays a scenario. If it fails, what the page and the logs of the servers show
  // is kept, and what has passed on the wires since it began.
  async during(name, play) {
    this.#scenario = name;
    this.#pictures = 0;
    this.#marks = Object.keys(this.wires).map((server) => [server, this.mark(server)]);
    try {
      await this.quiet();
      await play();
    } catch (error) {
      await this.#leave().catch((other) => { error.message += `\nand nothing could be kept of it: ${other}`; });
      throw error;
    }
  }

  async #leave() {
    await this.picture('failed');
    for (const [server, wires] of this.#marks) {
      if (!this.wires[server].front.mark()) continue; // it was never started
      const keep = (end, text) => writeFile(path.join(this.#record, `${this.#scenario}-${server}${end}`), text);
      await keep('.log', await this.log(server, 5000).catch(String));
      for (const [side, wire] of Object.entries(wires)) {
        const lines = wire.all().map(({ message, ...record }) => `${JSON.stringify(record)}\n`);
        if (lines.length) await keep(`-${side}.jsonl`, lines.join(''));
      }
    }
  }

  // picture keeps what a person sees now.
  async picture(what, page = this.page) {
    this.#pictures++;
    await page.screenshot({ path: path.join(this.#record, `${this.#scenario}-${this.#pictures}-${what}.png`), animations: 'disabled' });
  }

  // mark returns a place in both wires of a server: what follows is looked for behind
  // it.
  mark(server = 'desk') {
    const { front, upstream } = this.wires[server];
    return { front: new Behind(front), upstream: new Behind(upstream) };
  }

  // call calls a tool as an extension does, and returns a function that waits for the
  // Outcome of the call.
  async call(name, input = {}) {
    const key = `call ${++this.#calls}`;
    await this.editor.inside((_, state, args) => state.start(...args), [key, name, input]);
    const ended = () => until(`end of the call of ${name}`, async () => {
      const call = await this.editor.inside((_, state, k) => state.calls[k], key);
      return call.done && new Outcome(call);
    });
    ended.stop = () => this.editor.inside((_, state, k) => state.calls[k].stop(), key);
    return ended;
  }

  // chat has the participant call a tool, and returns a function that waits for the
  // Outcome of the call.
  async chat(name, input = {}) {
    await this.editor.command('notifications.clearAll'); // they would cover it
    await this.editor.inside((_, state) => { state.chat = undefined; });
    await this.editor.command('workbench.action.chat.open', { query: `@desk ${name} ${JSON.stringify(input)}` });
    return () => until(`end of the call of ${name} in chat`, async () => {
      const call = await this.editor.inside((_, state) => state.chat);
      return call?.done && new Outcome(call);
    });
  }

  // text finds what the page shows with a text, and not what it says to a screen reader.
  text(text) {
    return this.page.getByText(text).and(this.page.locator(':not(.monaco-aria-container *)')).filter({ visible: true });
  }

  // shows waits until the page shows a text somewhere.
  shows(text) { return this.text(text).first().waitFor(); }

  // halt presses Stop in a conversation.
  halt() { return this.#click(this.page.locator(stop)); }

  // press clicks a button in a part of the page. If several fit it is the last, which in
  // a conversation is the newest. The pointer is taken away: its hints cover things.
  press(part, text) { return this.#click(this.page.locator(`${part} .monaco-button:visible`).filter({ hasText: text }).last()); }

  async #click(button) {
    await button.click();
    await this.page.mouse.move(640, 300);
  }

  dialog(text) { return this.press('.monaco-dialog-box', text); }

  toast(text) { return this.press('.notification-toast', text); }

  // dismiss takes messages away until the call that one of them belongs to has ended.
  dismiss(ended) {
    return this.#again(ended, 'end of the call whose message was taken away', () => this.editor.command('notifications.clearAll'));
  }

  // decline chooses Cancel in the menu of a message until its call has ended: a menu that
  // has just opened may not take a click.
  decline(ended) {
    const soon = { timeout: 2000 };
    const toast = this.page.locator('.notification-toast');
    const cancel = this.page.locator('.monaco-menu').getByText('Cancel');
    return this.#again(ended, 'end of the call whose message was declined', async () => {
      if (!await cancel.isVisible()) {
        await toast.hover(soon);
        await toast.locator('[aria-label="More Actions..."]').click(soon);
        await cancel.waitFor(soon);
        await this.picture('menu');
      }
      await cancel.click(soon);
    });
  }

  // again does something until a call has ended, whether it can be done or not.
  async #again(ended, what, act) {
    let call;
    ended().then((result) => { call = result; }, () => {});
    await until(what, async () => {
      if (!call) await act().catch(() => {});
      return call;
    });
    return call;
  }

  // type answers the input in which the cursor is.
  async type(text) {
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  async keys(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  // wizard waits until the editor asks for something at the top of its window.
  wizard(text) { return this.page.locator('.quick-input-widget:visible').filter({ hasText: text }).waitFor(); }

  // log returns what the editor shows as the log of a server.
  async log(server = 'desk', time = limit) {
    await this.editor.command('workbench.mcp.showOutput', id(server));
    return until(`log of ${server}`, () => this.editor.inside((vscode, _, name) => vscode.workspace.textDocuments
      .find((d) => d.uri.scheme === 'output' && d.uri.path.endsWith(name))?.getText(), `.${server}`), time);
  }

  // logged waits until the log of a server has words, and shows them: later lines may have
  // pushed them out of what is seen of it.
  async logged(words, server = 'desk') {
    await until(`log with ${words}`, async () => (await this.log(server)).includes(words));
    await this.editor.inside((vscode, _, [name, text]) => {
      const shown = vscode.window.visibleTextEditors.find((e) => e.document.uri.scheme === 'output' && e.document.uri.path.endsWith(name));
      const at = shown.document.positionAt(shown.document.getText().lastIndexOf(text));
      shown.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
    }, [`.${server}`, words]);
    await this.shows(words);
  }

  // start starts a server and waits until its tools are there. For a server whose
  // configuration it has not read yet the editor does nothing, so it is told until it does.
  start(server = 'desk') {
    return until(`start of ${server}`, async () => {
      await this.editor.command('workbench.mcp.startServer', id(server), { waitForLiveTools: true });
      return this.wires[server].front.runs();
    });
  }

  // stop stops a server.
  stop(server = 'desk') { return this.editor.command('workbench.mcp.stopServer', id(server)); }

  // stopped stops a server that may run, and waits for its end. Whoever looks at the resources
  // has started all servers.
  async stopped(server) {
    await this.stop(server);
    await until(`end of ${server}`, () => !this.wires[server].front.runs());
  }

  // tools returns the names by which the editor knows the tools of all servers.
  tools() {
    return this.editor.inside((vscode) => vscode.lm.tools.filter((tool) => tool.tags.includes('mcp')).map((tool) => tool.name).sort());
  }

  // quiet makes the page as it was at the start, as far as it covers anything.
  async quiet() {
    await this.editor.inside((_, state) => { for (const call of Object.values(state.calls)) call.stop(); });
    await this.editor.command('workbench.action.chat.cancel');
    await this.keys('Escape', 'Escape');
    await this.editor.command('notifications.clearAll');
    await this.editor.command('workbench.action.closeAllEditors');
    await this.editor.command('workbench.action.closePanel');
    await this.editor.command('workbench.action.chat.newChat');
    const old = this.page.locator('.interactive-session .interactive-item-container').filter({ visible: true });
    await until('new conversation', async () => await old.count() === 0); // the old one would be pressed
  }
}

// An Outcome is how a call has ended: with a text, or with an error. To ask for the other
// one says what there is.
class Outcome {
  #call;

  constructor(call) { this.#call = call; }

  get text() {
    if (this.#call.error !== undefined) throw new Error(`the call has failed: ${this.#call.error}`);
    return this.#call.text;
  }

  get error() {
    if (this.#call.error === undefined) throw new Error(`the call has not failed, its text is ${this.#call.text}`);
    return this.#call.error;
  }
}

// id returns the name by which the editor's commands know a server.
const id = (server) => `mcp.config.ws0.${server}`;

// stop is the button that stops a conversation.
export const stop = '.interactive-session .codicon-stop-circle';

// card is the form of a conversation.
export const card = '.chat-question-carousel-container';

// A Behind is a wire from a mark on.
class Behind {
  constructor(wire) {
    const mark = wire.mark();
    for (const name of ['find', 'method', 'questions', 'message', 'request', 'answer']) this[name] = (...args) => wire[name](mark, ...args);
    this.all = () => wire.all().slice(mark);
  }
}
