// One session of an editor of revision 2025-11-25 with any stdio command.
//
//   node session-v1.mjs --plan ts2026|go [--steps a,b,…] [--timeout MS] -- COMMAND [ARG…]
//   node session-v1.mjs --list-steps
//
// It prints a line for each step, `ok`, `FAIL` or `skip` with the name, the time
// and a detail, and then the counts. Without --steps every step runs; with it,
// only those. The exit code is 0 without a FAIL, 1 with one, 2 for wrong use.
// The session is opened and closed in any case, since no step can run without.
import { parseArgs } from 'node:util';
import { Editor } from './editor.mjs';
import { plans } from './plans.mjs';
import { steps } from './steps.mjs';

function usage(text) {
  console.error(`session-v1: ${text}`);
  process.exit(2);
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        plan: { type: 'string' },
        steps: { type: 'string' },
        timeout: { type: 'string', default: '30000' },
        'list-steps': { type: 'boolean' },
      },
    });
  } catch (e) {
    return usage(e.message);
  }
}

const { values, positionals: [command, ...args] } = parse();
const names = steps.map((s) => s.name);
if (values['list-steps']) {
  console.log(names.join('\n'));
  process.exit(0);
}
const plan = Object.hasOwn(plans, values.plan ?? '') ? plans[values.plan] : usage(`--plan is one of ${Object.keys(plans)}`);
const chosen = values.steps === undefined ? names : values.steps.split(',');
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length) usage(`unknown step ${unknown.join(', ')}`);
const timeout = Number(values.timeout);
if (!(timeout > 0)) usage('--timeout is a number of milliseconds');
if (!command) usage('no command');

const editor = new Editor(command, args, timeout);
const count = { ok: 0, FAIL: 0, skip: 0 };

function report(outcome, name, ms, detail) {
  count[outcome]++;
  const text = String(detail ?? '').replace(/\s+/g, ' ').slice(0, 120);
  console.log(`${outcome.padEnd(4)}  ${name.padEnd(14)} ${String(Math.round(ms)).padStart(6)} ms  ${text}`.trimEnd());
}

// limited gives up on a step that takes longer than the time limit.
async function limited(run) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('no end')), timeout); });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

// attempt runs one step and says whether it went well. A step that was not
// chosen, but is needed to open or close the session, is heard of only when it
// fails.
async function attempt(step) {
  const start = performance.now();
  try {
    if (step.capability && plan.capabilities.includes(step.capability)) {
      if (editor.lacks(step.capability)) throw new Error(`${step.capability} is not declared`);
    }
    const detail = await limited(() => step.run(editor, plan));
    if (chosen.includes(step.name)) report('ok', step.name, performance.now() - start, detail);
    return true;
  } catch (e) {
    report('FAIL', step.name, performance.now() - start, e.message);
    return false;
  }
}

const [first, last] = [steps[0], steps.at(-1)];
const open = await attempt(first);
for (const step of steps.slice(1, open ? -1 : undefined)) {
  if (!chosen.includes(step.name)) continue;
  if (step.need && !plan[step.need]) report('skip', step.name, 0, 'not in this plan');
  else if (open) await attempt(step);
  else report('FAIL', step.name, 0, 'no session');
}
if (open) await attempt(last);
else await editor.client.close();
console.log(`${count.ok} passed, ${count.FAIL} failed, ${count.skip} skipped`);
process.exitCode = count.FAIL ? 1 : 0;
setTimeout(() => process.exit(), 1000).unref(); // a peer that stays must not hold the result
