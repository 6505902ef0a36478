// A person who has a browser beside the editor, for sites to sign in at.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { limit, until } from './until.mjs';

export class Person {
  program; // what BROWSER is to name: it only notes what it was started with
  #editor;
  #notes;
  #page;

  constructor(editor, work) {
    this.#editor = editor;
    this.#notes = path.join(work, 'started');
    this.program = path.join(work, 'browser');
    writeFileSync(this.program, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${this.#notes}'\n`);
    chmodSync(this.program, 0o700);
  }

  // started returns what the browser was started with so far.
  started() { return existsSync(this.#notes) ? readFileSync(this.#notes, 'utf8').split('\n').slice(0, -1) : []; }

  // start waits until the browser was started so often, and goes where it was sent.
  async start(times) {
    return this.go((await until('start of the browser', () => this.started().length >= times && this.started()))[times - 1]);
  }

  // go opens an address. All are opened in one page, which keeps cookies.
  async go(address) {
    if (!this.#page) {
      this.#page = await this.#editor.strange();
      this.#page.setDefaultTimeout(limit);
    }
    await this.#page.goto(address);
    return this.#page;
  }
}
