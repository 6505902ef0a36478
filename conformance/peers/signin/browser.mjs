// What a user does with a browser: a Chromium is started with a URL, pages are read,
// forms filled in and buttons clicked.
//
//   node browser.mjs CONFIGURATION URL
//
// CONFIGURATION is a file of JSON:
//
//   chromium  the program
//   work      an empty directory for its profile and net log
//   trust     the key of a private certificate authority, as Chromium names keys
//   desk      the port of the test
//
// It connects to the test, which sends a line of JSON for each thing to do, and gets
// one back: { text } with what the page then shows, or { error }. When the test hangs
// up, the browser is closed, so that its net log is whole, and then the connection.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium as playwright } from 'playwright-core';

const [file, url] = process.argv.slice(2);
const { chromium, work, trust, desk } = JSON.parse(readFileSync(file, 'utf8'));
const limit = 60_000;

const browser = spawn(chromium, [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-default-browser-check',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--disable-extensions',
  '--no-proxy-server', '--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--log-level=3',
  `--ignore-certificate-errors-spki-list=${trust}`, `--log-net-log=${path.join(work, 'net.json')}`,
  `--user-data-dir=${path.join(work, 'profile')}`, '--remote-debugging-port=0', url,
], { stdio: 'ignore' });
const ended = new Promise((exit) => browser.on('exit', exit));
process.on('exit', () => browser.kill('SIGKILL')); // whatever happens here

// connected waits for the file in which Chromium says where it can be driven.
async function connected() {
  const port = path.join(work, 'profile', 'DevToolsActivePort');
  for (let left = limit; left > 0; left -= 50, await pause(50)) {
    if (existsSync(port) && readFileSync(port, 'utf8').includes('\n')) {
      return playwright.connectOverCDP(`http://127.0.0.1:${readFileSync(port, 'utf8').split('\n')[0]}`, { timeout: limit });
    }
  }
  throw new Error('the browser does not start');
}

const driven = await connected();
const [context] = driven.contexts();
const page = context.pages()[0] ?? await context.waitForEvent('page');
page.setDefaultTimeout(limit);

// What the test can ask for.
const actions = {
  async fill({ field, value }) { await page.locator(`input[name=${field}]`).fill(value); },
  async click({ button, until }) {
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL((now) => now.href.includes(until));
  },
  async shown({ until }) { await page.waitForURL((now) => now.href.includes(until)); },
  async go({ target }) { await page.goto(target); },
  async picture({ into, scheme, width, direction }) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 600 });
    await page.locator('html').evaluate((html, dir) => { html.dir = dir; }, direction);
    await page.screenshot({ path: into });
  },
  // What does not fit the width would have to be scrolled to.
  async overflow() { return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth); },
  // Whatever a page would load or run shows up as an element.
  async foreign() { return page.evaluate(() => document.querySelectorAll('script, img, iframe, link, form, object').length); },
};

const test = net.connect({ port: desk, host: '127.0.0.1', allowHalfOpen: true });
for await (const line of createInterface({ input: test })) {
  let answer;
  try {
    const { action, ...args } = JSON.parse(line);
    const value = await actions[action](args);
    answer = { value, text: await page.locator('body').innerText() };
  } catch (error) {
    answer = { error: String(error) };
  }
  test.write(`${JSON.stringify(answer)}\n`);
}
await (await driven.newBrowserCDPSession()).send('Browser.close').catch(() => {});
await Promise.race([ended, pause(limit)]);
test.end();
process.exit(0);
