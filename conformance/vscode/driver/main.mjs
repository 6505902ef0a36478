// Runs the scenarios in one start of the editor.
//
//   node main.mjs CONFIGURATION
//
// CONFIGURATION is a file of JSON:
//
//   modules   the directory node_modules with the editor in it
//   chromium  the browser
//   work      an empty directory for the editor's own files
//   record    where transcripts, pictures and the editor's log are written
//   tap, bridge  the programs
//   servers   by name, the command line of a server behind a bridge of its own
//   sites     by name, the arguments of a bridge of its own for a server at a URL
//   alone     by name, the command line of a server that speaks to the editor itself
//   only      names of scenarios that are played beside the first; all are if there is none
//
// If a scenario fails, what the editor logs into files is in record too. It prints a
// line for each scenario, "ok NAME" or "FAIL NAME REASON", and
// exits 0 if none failed. If the first one fails, which starts the server, no other is
// played. The end of its input ends it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Desk } from './desk.mjs';
import { Editor } from './editor.mjs';
import { Person } from './person.mjs';
import { scenarios } from './scenarios.mjs';

const configuration = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const { modules, chromium, work, record, tap, bridge, servers, sites, alone, only } = configuration;

// bridged returns the entry of a server in mcp.json. Both wires of its bridge are
// recorded.
function bridged(name, server) {
  const [front, upstream] = ['front', 'upstream'].map((side) => path.join(record, `${name}-${side}.jsonl`));
  return {
    type: 'stdio', command: tap, args: [front, bridge, '--log-level', 'debug', '--', tap, upstream, ...server],
    envFile: '${workspaceFolder}/variables.env', env: { FROM_THE_CONFIGURATION: 'v2', MCP_BRIDGE_OTHER: 'v3' },
  };
}

// atURL is the same for a server at a URL, for which the person has a browser. Only the
// wire to the editor is recorded.
function atURL(name, args) {
  return {
    type: 'stdio', command: tap, args: [path.join(record, `${name}-front.jsonl`), bridge, ...args],
    env: { BROWSER: person.program, MCP_BRIDGE_TOKEN_KEY: '0123456789abcdef'.repeat(4) },
  };
}

// recorded returns the entry of a server that has no bridge.
const recorded = (name, server) => ({ type: 'stdio', command: tap, args: [path.join(record, `${name}-front.jsonl`), ...server] });

// entries returns those of servers, by name.
const entries = (all, entry) => Object.entries(all).map(([name, server]) => [name, entry(name, server)]);

async function run(desk) {
  let failed = 0;
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (only?.length && name !== 'start' && !only.includes(name)) continue;
    try {
      await desk.during(name, () => scenario(desk));
      console.log(`ok ${name}`);
    } catch (error) {
      failed++;
      const hopeless = name === 'start' ? 'the server was not started, so no other scenario is played\n' : '';
      console.log(`FAIL ${name} ${JSON.stringify(hopeless + stripVTControlCharacters(String(error.stack)))}`);
      if (hopeless) break;
    }
  }
  return failed;
}

const unknown = (only ?? []).filter((name) => !(name in scenarios));
if (unknown.length) {
  console.error(`there is no scenario ${unknown.join(', ')}, but ${Object.keys(scenarios).join(', ')}`);
  process.exit(2);
}

const editor = new Editor();
const person = new Person(editor, work);

// Nothing is left behind when whoever started this has ended.
process.stdin.resume().once('end', async () => {
  await editor.stop();
  process.exit(1);
});

let failed = 1;
try {
  await editor.start({
    modules, chromium, work, log: path.join(record, 'editor.log'),
    servers: Object.fromEntries([...entries(servers, bridged), ...entries(sites, atURL), ...entries(alone, recorded)]),
  });
  failed = await run(new Desk(editor, record, Object.keys({ ...servers, ...sites, ...alone }), person));
} catch (error) {
  await editor.page?.screenshot({ path: path.join(record, 'editor-failed.png') }).catch(() => {});
  throw error;
} finally {
  if (failed) editor.leave(path.join(record, 'logs'));
  await editor.stop();
}
process.exit(failed ? 1 : 0);
