// Writes the official JSON schemas of the protocol, which the conformance suite
// carries in its bundle, to a directory: one REVISION.schema.json each.
//
//   node extract-schemas.mjs PATH/conformance/dist/index.js DIR
//
// The bundle holds them as object literals. Each is cut out by matching brackets
// and evaluated alone, in a context without globals.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

// literalEnd returns the offset after the literal that starts at i.
function literalEnd(text, i) {
  let depth = 0;
  let quote = null;
  for (; i < text.length; i++) {
    const c = text[i];
    if (quote) {
      if (c === '\\') i++;
      else if (c === quote) quote = null;
    } else if (c === '`' || c === '"' || c === "'") {
      quote = c;
    } else if (c === '{' || c === '[') {
      depth++;
    } else if ((c === '}' || c === ']') && --depth === 0) {
      return i + 1;
    }
  }
  throw new Error('the brackets do not match');
}

// revisionOf tells the revisions apart by a definition that came with each.
function revisionOf(definitions) {
  if (definitions.DiscoverRequest) return '2026-07-28';
  if (definitions.TaskMetadata ?? definitions.Task) return '2025-11-25';
  if (definitions.ElicitRequest) return '2025-06-18';
  return '2025-03-26';
}

const [bundle, dir] = process.argv.slice(2);
if (!dir) {
  console.error('usage: node extract-schemas.mjs BUNDLE DIR');
  process.exit(2);
}
const text = fs.readFileSync(bundle, 'utf8');
fs.mkdirSync(dir, { recursive: true });
const written = new Set();
for (const match of text.matchAll(/[\w$]+=(?=\{\$schema:`)/g)) {
  const start = match.index + match[0].length;
  const literal = text.slice(start, literalEnd(text, start));
  let schema;
  try {
    schema = vm.runInNewContext(`(${literal})`);
  } catch {
    continue; // a literal that refers to something outside is no schema
  }
  const definitions = schema.$defs ?? schema.definitions;
  if (!definitions?.JSONRPCMessage) continue;
  const revision = revisionOf(definitions);
  fs.writeFileSync(path.join(dir, `${revision}.schema.json`), JSON.stringify(schema));
  written.add(revision);
}
for (const revision of ['2025-11-25', '2026-07-28']) {
  if (written.has(revision)) continue;
  console.error(`extract-schemas: no schema of ${revision} in the bundle`);
  process.exit(1);
}
