// An authorization server (oidc-provider) and an MCP server of revision 2026-07-28 that wants
// its tokens, both on https.
//
//   node peer.mjs CERTIFICATE KEY AUTHORITY [--pages]
//
// It prints a line of JSON, { issuer, url, metadata }, once it listens: the authorization
// server, the MCP server, and where documents about clients are, to which the port of the
// redirect is to be added. It ends with its input. Each line of that is a thing to do, and gets
// a line as an answer.
//
// It knows one client by itself, "registered" with the secret "registered-secret", and takes
// others that register or have a document. It agrees to everything at once, as the user that the
// browser names in the header x-user, so that whatever follows redirects and keeps cookies is a
// browser. With --pages it asks on pages of its own.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { createInterface } from 'node:readline';
import { McpServer, createMcpHandler, createRequestStateCodec, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { Provider, errors } from 'oidc-provider';
import * as z from 'zod/v4';

const [certificate, key, authority, pages] = process.argv.slice(2);
const tls = { cert: readFileSync(certificate), key: readFileSync(key) };
const ca = readFileSync(authority);

async function listening() {
  const server = https.createServer(tls);
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return [server, `https://localhost:${server.address().port}`];
}
const [authorizationServer, issuer] = await listening();
const [resourceServer, site] = await listening();
const resource = `${site}/mcp`;

// What the test can change. A request to a path of instead is answered by what is there; what is
// in patches is put into the answer of the path; challenge replaces that of a refused request.
let lifetime = 3600;
let instead = {};
let patches = {};
let challenge;
let held = Promise.resolve(); // requests for tokens wait for it
let release = () => {};

const requests = []; // that came to either server
const tokens = { access: [], refresh: [] }; // that were given out
const states = []; // of requests that ask
const clients = []; // that have registered
const user = new AsyncLocalStorage();

// ---- the authorization server ----

// Documents about clients are on this machine, where oidc-provider does not look by itself.
const fetchHere = (url) => new Promise((done, failed) => {
  https.get(url, { ca, headers: { accept: 'application/json' } }, async (response) => {
    const parts = await Array.fromAsync(response);
    done(new Response(Buffer.concat(parts), { status: response.statusCode, headers: { 'content-type': response.headers['content-type'] ?? '' } }));
  }).on('error', failed);
});

const provider = new Provider(issuer, {
  scopes: ['read', 'write', 'offline_access'],
  claims: {},
  clients: [{
    client_id: 'registered', client_secret: 'registered-secret', redirect_uris: ['http://127.0.0.1:41894/callback'],
    grant_types: ['authorization_code', 'refresh_token'], application_type: 'native', token_endpoint_auth_method: 'client_secret_basic',
  }],
  clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' },
  pkce: { required: () => true },
  cookies: { keys: ['conformance'] },
  fetch: fetchHere,
  ttl: { AccessToken: () => lifetime, RefreshToken: 3600, Session: 3600, Interaction: 3600, Grant: 3600 },
  rotateRefreshToken: true,
  issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  ...pages ? {} : { interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` } },
  features: {
    devInteractions: { enabled: Boolean(pages) },
    userinfo: { enabled: false },
    registration: { enabled: true },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch: async () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => undefined,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_, wanted) => {
        if (wanted !== resource) throw new errors.InvalidTarget();
        return { scope: 'read write', audience: resource, accessTokenFormat: 'opaque' };
      },
    },
  },
});
for (const event of ['server_error', 'authorization.error', 'grant.error', 'registration_create.error']) {
  provider.on(event, (_, error) => console.error(event, error.message, error.error_description ?? ''));
}

// What was asked, and what was answered to whoever asked for tokens.
provider.use(async (ctx, next) => {
  const request = {
    server: 'authorization', method: ctx.method, path: ctx.path, authorization: ctx.get('authorization').split(' ')[0],
    key: ctx.get('x-key'), params: { ...ctx.query },
  };
  requests.push(request);
  if (ctx.path === '/token') await held;
  await next();
  Object.assign(request.params, ctx.oidc?.params ?? ctx.oidc?.body);
  request.status = ctx.status;
  if (ctx.path === '/token' && ctx.status === 200) {
    tokens.access.push(ctx.body.access_token);
    if (ctx.body.refresh_token) tokens.refresh.push(ctx.body.refresh_token);
  }
  if (ctx.path === '/reg' && ctx.status === 201) clients.push(ctx.body.client_id);
  if (patches[ctx.path]) Object.assign(ctx.body, patches[ctx.path]);
});

// agree is the user, who has no page.
async function agree(ctx, next) {
  if (!ctx.path.startsWith('/interaction/')) return next();
  const { prompt, grantId, session, params } = await provider.interactionDetails(ctx.req, ctx.res);
  if (prompt.name === 'login') {
    return ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login: { accountId: ctx.get('x-user') || 'user' } }));
  }
  const grant = grantId ? await provider.Grant.find(grantId) : new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope, missingResourceScopes } = prompt.details;
  if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [name, scopes] of Object.entries(missingResourceScopes ?? {})) grant.addResourceScope(name, scopes.join(' '));
  const result = { consent: { grantId: await grant.save() } };
  return ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: true }));
}
if (!pages) provider.use(agree);

async function answerAsTold(request, response, server) {
  const path = request.url.split('?')[0];
  const told = instead[path];
  if (!told) return false;
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  const params = Object.fromEntries(new URLSearchParams(body.startsWith('{') ? '' : body));
  requests.push({ server, method: request.method, path, authorization: '', key: request.headers['x-key'] ?? '', params, status: told.status });
  response.writeHead(told.status, told.header).end(told.body ?? '');
  return true;
}
const authorizationCallback = provider.callback();
authorizationServer.on('request', async (request, response) => {
  if (!await answerAsTold(request, response, 'authorization')) authorizationCallback(request, response);
});

// ---- the MCP server ----

const state = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)), ttlSeconds: 600 });
const text = (s) => ({ content: [{ type: 'text', text: s }] });
const mcp = toNodeHandler(createMcpHandler(() => {
  const server = new McpServer({ name: 'guarded', version: '1.0.0' }, { capabilities: { tools: {} }, requestState: { verify: state.verify } });
  server.registerTool('whoami', {
    description: 'says who has signed in', inputSchema: z.object({ note: z.string().optional() }), annotations: { readOnlyHint: true },
  }, async () => text(user.getStore()));
  server.registerTool('write', { description: 'needs the scope write' }, async () => text('written'));
  server.registerTool('ask', { description: 'asks for a name' }, async (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'name');
    if (answer.kind !== 'missing') return text('thanks');
    states.push(await state.mint({ asked: true }));
    return inputRequired({
      inputRequests: { name: inputRequired.elicit({
        message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
      }) },
      requestState: states.at(-1),
    });
  });
  return server;
}, { legacy: 'reject' }));

const metadata = '/.well-known/oauth-protected-resource/mcp';
const documents = {
  [metadata]: () => ({ resource, authorization_servers: [issuer], scopes_supported: ['read'], bearer_methods_supported: ['header'] }),
};
const clientDocument = (path) => {
  const [, port] = /^\/client\/(\d+)$/.exec(path) ?? [];
  return port && {
    client_id: `${site}${path}`, client_name: 'conformance', application_type: 'native', redirect_uris: [`http://127.0.0.1:${port}/callback`],
    grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none',
  };
};

async function serve(request, response) {
  if (await answerAsTold(request, response, 'resource')) return;
  const path = request.url.split('?')[0];
  const record = {
    server: 'resource', method: request.method, path, authorization: request.headers.authorization ?? '', key: request.headers['x-key'] ?? '',
    params: {},
  };
  requests.push(record);
  const reply = (status, value, header) => {
    record.status = status;
    response.writeHead(status, { 'content-type': 'application/json', ...header }).end(JSON.stringify(value));
  };
  const document = documents[path]?.() ?? clientDocument(path);
  if (document) return reply(200, { ...document, ...patches[path] });
  if (path !== '/mcp') return reply(404, {});
  const refuse = (status, error, more = '') => reply(status, { error }, {
    'www-authenticate': challenge ?? `Bearer ${error ? `error="${error}", ` : ''}${more}resource_metadata="${site}${metadata}"`,
  });
  const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)) || 'null');
  Object.assign(record.params, { method: body?.method, name: body?.params?.name });
  const presented = /^Bearer (.+)$/.exec(record.authorization)?.[1];
  const token = presented && await provider.AccessToken.find(presented);
  if (token?.aud !== resource) return refuse(401, presented ? 'invalid_token' : '', 'scope="read", ');
  if (body?.method === 'tools/call' && body.params?.name === 'write' && !(token.scope ?? '').split(' ').includes('write')) {
    return refuse(403, 'insufficient_scope', 'scope="write", ');
  }
  record.status = 200;
  return user.run(token.accountId, () => mcp(request, response, body));
}
resourceServer.on('request', (request, response) => serve(request, response).catch((error) => {
  console.error(error);
  response.destroy();
}));

// ---- what the test can ask for ----

const forget = async (kind, values) => {
  for (const value of values.splice(0)) await (kind.adapter?.destroy(value) ?? (await kind.find(value))?.destroy());
};
const actions = {
  requests: () => requests,
  tokens: () => tokens,
  states: () => states,
  lifetime: ({ seconds }) => { lifetime = seconds; },
  instead: ({ answers }) => { instead = answers ?? {}; },
  patch: ({ documents: changed }) => { patches = changed ?? {}; },
  challenge: ({ header }) => { challenge = header ?? undefined; },
  hold: () => { ({ promise: held, resolve: release } = Promise.withResolvers()); },
  release: () => release(),
  revokeAccess: () => forget(provider.AccessToken, tokens.access),
  forgetClients: () => forget(provider.Client, clients),
  revokeRefresh: () => forget(provider.RefreshToken, tokens.refresh),
};
console.log(JSON.stringify({ issuer, url: resource, metadata: `${site}/client/` }));
for await (const line of createInterface({ input: process.stdin })) {
  const { action, ...args } = JSON.parse(line);
  console.log(JSON.stringify((await actions[action](args)) ?? null));
}
process.exit(0);
