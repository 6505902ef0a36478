// The editor as a process, the browser that shows it, and the way into its extension
// host.
import { spawn } from 'node:child_process';
import { cpSync, createWriteStream, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { limit, until } from './until.mjs';

const settings = {
  'security.workspace.trust.enabled': false, 'telemetry.telemetryLevel': 'off', 'update.mode': 'none',
  'chat.mcp.access': 'all', 'chat.mcp.autostart': 'never', 'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden', 'workbench.tips.enabled': false,
};

// What keeps the browser from asking anything outside this machine.
const quiet = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-default-browser-check',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps',
  '--no-proxy-server', '--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

export class Editor {
  #process;
  #browser;
  #socket;
  page; // of playwright
  work; // the directory of its own files
  requested = []; // URLs that the page has asked for
  opened = []; // URLs of other pages that the editor has opened

  // start starts the editor in the directory work, with servers as .vscode/mcp.json
  // has them. What it logs is added to the file log.
  async start({ modules, chromium, work, log, servers }) {
    this.work = work;
    this.#socket = path.join(work, 'desk.sock');
    const folder = prepare(work, servers);
    this.#process = spawn(path.join(modules, 'node', 'bin', 'node'), [
      path.join(modules, 'code-server', 'out', 'node', 'entry.js'), '--auth', 'none', '--bind-addr', '127.0.0.1:0',
      '--user-data-dir', path.join(work, 'user'), '--extensions-dir', path.join(work, 'extensions'),
      '--config', path.join(work, 'config.yaml'), '--disable-telemetry', '--disable-update-check',
      '--disable-workspace-trust', folder,
    ], { cwd: work, detached: true, env: environment(work, this.#socket) });
    const address = await listening(this.#process, log);
    const playwright = createRequire(path.join(modules, 'playwright-core', 'package.json'))('playwright-core');
    this.#browser = await playwright.chromium.launch({ executablePath: chromium, args: quiet });
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 } });
    this.page = await context.newPage();
    this.page.on('request', (request) => { this.requested.push(request.url()); });
    context.on('page', (page) => this.#follow(page));
    await this.page.goto(`${address}/?folder=${encodeURIComponent(folder)}`, { timeout: 0 });
    await this.ready();
  }

  // follow notes what another page was opened for, and closes it: a page behind another one
  // is slow.
  #follow(page) {
    const add = (url) => {
      if (/^$|^about:blank$|^chrome-error:/.test(url)) return; // not there yet, or never
      if (!this.opened.includes(url)) this.opened.push(url);
      page.close().catch(() => {}); // it is closed already
    };
    add(page.url());
    page.on('request', (request) => { if (request.isNavigationRequest()) add(request.url()); });
  }

  // strange opens a page that has nothing to do with the editor, as another browser would.
  // It takes certificates of private authorities.
  async strange() { return (await this.#browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 800, height: 600 } })).newPage(); }

  // ready waits until the extension answers and the editor has our model.
  ready() {
    return until('answer of the extension', async () => {
      try {
        return await this.inside(async (vscode) => (await vscode.lm.selectChatModels({})).length > 0);
      } catch { return false; }
    });
  }

  // inside runs a function in the extension host. It is sent as text, so it sees only
  // its parameters: vscode, what the extension's state is, and args.
  inside(f, args = null) {
    const body = JSON.stringify({ code: f.toString(), args });
    const options = { socketPath: this.#socket, method: 'POST', headers: { connection: 'close' }, timeout: limit };
    return new Promise((resolve, reject) => {
      const request = http.request(options, (response) => { answered(response).then(resolve, reject); });
      request.on('timeout', () => { request.destroy(new Error(`no answer of the extension in ${limit / 1000} s to ${body}`)); });
      request.on('error', reject);
      request.end(body);
    });
  }

  command(name, ...args) {
    return this.inside(async (vscode, _, [command, more]) => {
      const result = await vscode.commands.executeCommand(command, ...more);
      return typeof result === 'object' ? null : result;
    }, [name, args]);
  }

  // leave copies what the editor has logged into files of its own.
  leave(directory) {
    const logs = path.join(this.work, 'user', 'logs');
    if (existsSync(logs)) cpSync(logs, directory, { recursive: true });
  }

  // stop ends the browser and all processes of the editor.
  async stop() {
    await this.#browser?.close();
    if (this.#process && this.#process.exitCode === null) {
      const gone = new Promise((done) => { this.#process.once('exit', done); });
      try { process.kill(-this.#process.pid, 'SIGTERM'); } catch { /* gone */ }
      await gone;
    }
  }
}

// answered returns the value in an answer of the extension.
async function answered(response) {
  let text = '';
  for await (const chunk of response) text += chunk;
  const { value, error } = JSON.parse(text);
  if (error) throw new Error(`in the editor: ${error}`);
  return value;
}

// prepare writes what the editor finds in work, and returns the folder that it opens.
function prepare(work, servers) {
  const folder = path.join(work, 'folder');
  mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  writeFileSync(path.join(folder, '.vscode', 'mcp.json'), JSON.stringify({ servers }, null, 2));
  writeFileSync(path.join(folder, 'variables.env'), 'FROM_A_FILE=v 1\n');
  mkdirSync(path.join(work, 'user', 'User'), { recursive: true });
  writeFileSync(path.join(work, 'user', 'User', 'settings.json'), JSON.stringify(settings));
  writeFileSync(path.join(work, 'config.yaml'), '');
  cpSync(path.join(import.meta.dirname, '..', 'extension'), path.join(work, 'extensions', 'local.desk-0.0.1'), { recursive: true });
  return folder;
}

// environment is without what another editor, from whose terminal this is run, has in
// it for its own processes. The editor's sockets are in work, as it leaves them behind,
// and it has no shop of extensions to ask.
function environment(work, socket) {
  const env = { ...process.env, HOME: work, TMPDIR: work, EXTENSIONS_GALLERY: '{}', TRESTLE_DESK_SOCKET: socket };
  for (const name of Object.keys(env)) {
    if (name.startsWith('VSCODE_') || ['ELECTRON_RUN_AS_NODE', 'XDG_RUNTIME_DIR'].includes(name)) delete env[name];
  }
  return env;
}

// listening waits for the line in which the editor says where it listens.
function listening(child, file) {
  const log = createWriteStream(file, { flags: 'a' });
  return new Promise((resolve, reject) => {
    let text = '';
    const take = (chunk) => {
      log.write(chunk);
      text += chunk;
      const found = /listening on (http:\/\/[\d.]+:\d+)/.exec(text);
      if (found) resolve(found[1]);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the editor ended with code ${code}: ${text}`)));
  });
}
