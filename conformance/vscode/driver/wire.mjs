// One side of a bridge, as its tap records it.
import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.mjs';

export class Wire {
  #file;

  constructor(file) { this.#file = file; }

  // all returns the records: { at, pid, dir, line, end, message }. dir is > toward
  // the server and < toward the editor.
  all() {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    lines.pop(); // empty, or a record that is being written
    return lines.map((line) => {
      const record = JSON.parse(line);
      try { record.message = JSON.parse(record.line); } catch { /* the end, or no JSON */ }
      return record;
    });
  }

  // mark returns a place behind what was recorded so far.
  mark() { return this.all().length; }

  // runs says whether there is a newest record, and it is not of an end.
  runs() { return this.all().at(-1)?.end === undefined && this.mark() > 0; }

  // find returns the messages behind a mark that fit.
  find(mark, dir, fits) {
    return this.all().slice(mark).filter((r) => r.dir === dir && r.message && fits(r.message)).map((r) => r.message);
  }

  // method returns the messages behind a mark with that method.
  method(mark, dir, method) { return this.find(mark, dir, (m) => m.method === method); }

  // questions returns the methods of the requests behind a mark toward the editor.
  questions(mark) { return this.find(mark, '<', (m) => m.id !== undefined && m.method).map((m) => m.method).sort(); }

  // message waits for the first message that fits.
  message(mark, dir, what, fits) {
    return until(`${what} on the wire ${this.#file}`, () => this.find(mark, dir, fits)[0]);
  }

  // request waits for the first request or notification with that method.
  request(mark, dir, method) { return this.message(mark, dir, method, (m) => m.method === method); }

  // answer waits for the answer to a request.
  answer(mark, dir, request) {
    return this.message(mark, dir, `the answer to ${request.method}`, (m) => m.method === undefined && m.id === request.id);
  }
}
