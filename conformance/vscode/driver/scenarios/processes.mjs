import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { until } from '../until.mjs';

// tree returns the ids of a process and of all below it.
function tree(pid) {
  const below = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((child) => {
    try { return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${child}/stat`, 'utf8'))[1]) === pid; } catch { return false; }
  });
  return [pid, ...below.flatMap(tree)];
}

// running returns the processes of the newest bridge of a server, from its tap on.
export function running(desk, server = 'desk') {
  const { pid } = desk.wires[server].front.all().at(-1);
  const pids = tree(pid);
  assert.equal(pids.length, 4, `the tap, the bridge, a tap and the server: ${pids}`);
  return pids;
}

// bound is how long after the end of its input all of a bridge has gone, in ms: the bridge
// takes at most 6 s, and the rest is for the taps. The editor would send a signal after 10 s,
// and this must not be why it ends.
const bound = 8000;

const over = (pid) => !existsSync(`/proc/${pid}`);

// allOver waits for the end of processes.
function allOver(pids) {
  const name = (pid) => `${pid} ${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()}`;
  return until(() => `end of ${pids.filter((pid) => !over(pid)).map(name)}`, () => pids.every(over));
}

// gone waits for the end of all processes of a bridge, and wants them to have ended in time.
async function gone(pids, { front }) {
  await allOver(pids);
  const took = Date.now() - Date.parse(front.all().find((r) => r.end && r.dir === '>').at);
  assert.ok(took < bound, `the processes have ended ${took} ms after the input`);
}

// ended wants the bridge to have gone by itself: the ends of its outputs, which are behind
// those of its inputs, were seen.
function ended({ front, upstream }) {
  for (const wire of [front, upstream]) {
    assert.deepEqual(wire.all().filter((r) => r.end).map((r) => r.dir), ['>', '<']);
  }
}

// A server has the environment of the configuration, in the folder, but nothing of what
// the editor and the bridge have for themselves.
export async function environment(desk) {
  const [, bridge] = running(desk);
  const names = readFileSync(`/proc/${bridge}/environ`, 'utf8').split('\0').map((v) => v.split('=')[0]);
  const own = (name) => /^(VSCODE_|ELECTRON_RUN_AS_NODE$|MCP_BRIDGE_)/.test(name);
  for (const kind of [/^VSCODE_/, /^ELECTRON_RUN_AS_NODE$/, /^MCP_BRIDGE_/]) assert.ok(names.some((n) => kind.test(n)), `${kind}: ${names}`);
  const { front, upstream } = desk.mark();
  const { text } = await (await desk.chat('mcp_desk_start'))();
  for (const wire of [front, upstream]) {
    assert.equal((await wire.answer('<', await wire.request('>', 'tools/call'))).result.content[0].text, text);
  }
  const got = JSON.parse(text);
  assert.ok(got.env.includes('FROM_A_FILE') && got.env.includes('FROM_THE_CONFIGURATION') && got.env.includes('PATH'), `${got.env}`);
  assert.deepEqual(got.env.filter(own), []);
  assert.ok(got.dir.endsWith('/folder'), got.dir);
  await desk.shows('"FROM_THE_CONFIGURATION"');
  await desk.picture('answer');
}

// Two bridges work side by side: each server is asked for what is its own, while the other
// waits.
export async function sideBySide(desk) {
  await desk.start('go');
  await desk.start('ts');
  const wires = ['desk', 'ts', 'go'].map((server) => desk.mark(server));
  const waiting = await desk.call('mcp_desk_wait');
  const echo = await desk.call('mcp_ts_v2_peer_echo', { text: 'from the other' });
  await desk.shows('Run echo');
  await desk.picture('question');
  await desk.dialog('Yes');
  assert.match((await echo()).text, /from the other/);
  const simple = await desk.call('mcp_mcp-conforman_test_simple_text');
  await desk.dialog('Yes');
  assert.match((await simple()).text, /simple text/);
  await (await desk.call('mcp_desk_release'))();
  assert.equal((await waiting()).text, 'work is done');
  const called = (wire) => wire.method('>', 'tools/call').map((m) => m.params.name);
  for (const side of ['front', 'upstream']) {
    assert.deepEqual(wires.map((wire) => called(wire[side])), [['wait', 'release'], ['echo'], ['test_simple_text']]);
  }
}

// A server that nobody here wrote asks in several rounds.
export async function rounds(desk) {
  await desk.start('ts');
  const { front, upstream } = desk.mark('ts');
  const ended = await desk.call('mcp_ts_v2_peer_two_rounds');
  await desk.dialog('Yes');
  await desk.shows('a?');
  await desk.toast('Respond');
  await desk.wizard('a (1/1)');
  await desk.type('7');
  await desk.shows('b?');
  await desk.toast('Respond');
  await desk.wizard('b (1/1)');
  await desk.keys('Enter');
  assert.match((await ended()).text, /"a":7,"b":true/);
  assert.deepEqual(front.questions(), ['elicitation/create', 'elicitation/create', 'roots/list']);
  const rounds = upstream.method('>', 'tools/call').map((m) => m.params.inputResponses);
  assert.deepEqual(rounds.map((answers) => Object.keys(answers ?? {}).sort()), [[], ['a', 'r'], ['b'], []]);
  assert.deepEqual([rounds[1].a.content, rounds[2].b.content], [{ a: 7 }, { b: true }]);
}

// A server that crashes fails the call with words of the bridge. The next call starts it
// again.
export async function crash(desk) {
  const pids = running(desk);
  const { front, upstream } = desk.mark();
  const call = await desk.chat('mcp_desk_crash');
  assert.match((await call()).error, /^MPC -32603: The server has exited/);
  await allOver(pids);
  await desk.shows('The server has exited');
  await desk.logged('crashing as I was told');
  await desk.picture('crashed');
  assert.equal((await (await desk.call('mcp_desk_echo', { text: 'again' }))()).text, 'echo again');
  assert.equal(front.method('>', 'initialize').length, 1);
  assert.equal(upstream.method('>', 'server/discover').length, 1);
  for (const wire of [front, upstream]) assert.deepEqual(wire.method('>', 'tools/call').map((m) => m.params.name), ['crash', 'echo']);
}

// saidStopped wants the end of the server to be the last thing in its log, and shown: of
// an earlier one, the log says the same.
async function saidStopped(desk) {
  await until('the word Stopped at the end of the log', async () => /Connection state: Stopped\s*$/.test(await desk.log()));
  await desk.logged('Connection state: Stopped');
}

// Stop ends all processes, without a signal.
export async function stop(desk) {
  await desk.start();
  const pids = running(desk);
  const wires = desk.mark();
  await desk.stop();
  await gone(pids, wires);
  ended(wires);
  await saidStopped(desk);
  await desk.picture('stopped');
}

// Stop while a call runs and a form is open.
export async function stopBusy(desk) {
  await desk.start();
  const pids = running(desk);
  const wires = desk.mark();
  const waiting = await desk.call('mcp_desk_wait');
  await wires.front.request('<', 'notifications/progress');
  const asking = await desk.call('mcp_desk_form', { kind: 'name' });
  await desk.shows('Fill in the form name');
  await desk.stop();
  await gone(pids, wires);
  ended(wires);
  assert.ok((await waiting()).error);
  assert.ok((await asking()).error);
  assert.deepEqual(wires.upstream.method('>', 'tools/call').map((m) => m.params.name), ['wait', 'form']);
  await saidStopped(desk);
  await desk.picture('stopped');
}

// leaving has the server leave a process that does not end when it is asked to, and does
// something that is to end it.
async function leaving(desk, pids, act) {
  const left = Number((await (await desk.call('mcp_desk_leave'))()).text);
  assert.ok(tree(pids.at(-1)).includes(left), `${left} is below the server`);
  try {
    await act(left);
  } finally {
    if (!over(left)) process.kill(left, 'SIGKILL');
  }
}

// Stop ends a process too that the server has started and left, and that does not end when
// it is asked to.
export async function stopStubborn(desk) {
  await desk.start();
  const pids = running(desk);
  const wires = desk.mark();
  await leaving(desk, pids, async (left) => {
    await desk.stop();
    await gone([...pids, left], wires);
  });
  ended(wires);
  await saidStopped(desk);
  await desk.picture('stopped');
}

// Nothing is left behind when the process that started the bridge is killed, not even what
// the server has left.
export async function killed(desk) {
  await desk.start();
  const pids = running(desk);
  const wires = desk.mark();
  const host = await desk.editor.inside(() => process.pid);
  await leaving(desk, pids, async (left) => {
    process.kill(host, 'SIGKILL');
    const said = desk.shows('The remote extension host terminated unexpectedly.').then(() => desk.picture('gone')); // not for long
    await Promise.all([gone([host, left, ...pids], wires), said]);
  });
  assert.equal(wires.front.all().find((r) => r.end).dir, '>');
  assert.deepEqual(wires.upstream.all().filter((r) => r.end).map((r) => r.dir), ['>', '<']);
}
