// An authorization server (oidc-provider, with its own pages) on https.
//
//   node server.mjs CERTIFICATE KEY REDIRECT-URI
//
// It prints a line of JSON, { issuer, authorization, token }, once it listens, and ends
// with its input.
import { readFileSync } from 'node:fs';
import https from 'node:https';

const [certificate, key, redirect] = process.argv.slice(2);
const { Provider } = await import('oidc-provider');

const server = https.createServer({ cert: readFileSync(certificate), key: readFileSync(key) });
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `https://localhost:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{
    client_id: 'conformance', redirect_uris: [redirect], application_type: 'native', token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'], response_types: ['code'],
  }],
  pkce: { required: () => true },
  cookies: { keys: ['conformance'] },
  findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
});
server.on('request', provider.callback());
process.stdin.resume().on('end', () => process.exit(0));
console.log(JSON.stringify({ issuer, authorization: `${issuer}/auth`, token: `${issuer}/token` }));
