import assert from 'node:assert/strict';
import { until } from '../until.mjs';

// A server that has the bridge inside: the editor starts the one program, which asks it in
// its own revision, and ends with its input. A client of 2026-07-28 would be served by the
// same program.
export async function embedded(desk) {
  await desk.stopped('embedded');
  const { front } = desk.mark('embedded');
  await desk.start('embedded');
  const { result } = await front.answer('<', await front.request('>', 'initialize'));
  assert.deepEqual([result.protocolVersion, result.serverInfo.name], ['2025-11-25', 'greeter']);
  const tools = (await desk.tools()).filter((name) => name.startsWith('mcp_greeter_'));
  assert.deepEqual(tools, ['mcp_greeter_echo', 'mcp_greeter_greet']);

  const echo = await desk.call('mcp_greeter_echo', { text: 'from inside' });
  await desk.shows('Run echo');
  await desk.dialog('Yes');
  assert.equal((await echo()).text, 'from inside');

  const greet = await desk.call('mcp_greeter_greet');
  await desk.shows('Run greet');
  await desk.dialog('Yes');
  await desk.shows('Who is to be greeted?');
  await desk.picture('form');
  await desk.toast('Respond');
  await desk.wizard('name (1/1)');
  await desk.type('Ada');
  assert.equal((await greet()).text, 'Hello, Ada!');
  assert.deepEqual(front.questions(), ['elicitation/create']);
  for (const { message } of front.all().filter((r) => r.dir === '<')) {
    for (const newer of ['resultType', 'ttlMs', 'cacheScope']) assert.equal(message?.result?.[newer], undefined);
  }

  await desk.stop('embedded');
  const ends = () => front.all().filter((r) => r.end).map((r) => r.dir);
  await until('end of both directions', () => ends().length === 2);
  assert.deepEqual(ends(), ['>', '<']); // it went by itself
}
