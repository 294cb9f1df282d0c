import { afterAll, expect, test } from '@jest/globals';
import { Browser } from '../helpers/browser.ts';
import { startExample, stopExamples } from '../helpers/examples.ts';
import { connect, jsonResponse, type TestClient, userinfo } from '../helpers/flow.ts';
import { freePort } from '../helpers/free-port.ts';
import { post } from '../mcp/rpc.ts';

afterAll(stopExamples);

const pocketApp: TestClient = {
  id: 'pocket-app',
  redirectUri: 'http://127.0.0.1:49152/callback',
  scope: 'openid profile email account:read',
};

/** Makes `express` mean Express 4. */
const hooks = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) => next(name === 'express' ? 'express-4' : name, context) });`;
const withExpress4 = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`];

test.each<[string, string, readonly string[]]>([
  ['node:http', 'node-http.ts', []],
  ['Express 5', 'express.ts', []],
  ['Express 4', 'express.ts', withExpress4],
  ['Fastify', 'fastify.ts', []],
  ['Nest', 'nest.ts', []],
  ['Hono', 'hono.ts', []],
])('%s: examples/hosts/%s is a school, from discovery to a tool', async (_name, file, nodeOptions) => {
  const origin = await startExample(`examples/hosts/${file}`, { PORT: String(await freePort()) }, nodeOptions);
  const metadata = await jsonResponse(await fetch(`${origin}/.well-known/openid-configuration`));
  expect(metadata.body['issuer']).toBe(origin);
  const tokens = await connect(new Browser(), origin, pocketApp);
  expect(await userinfo(origin, tokens.body['access_token'])).toMatchObject({ status: 200, body: { sub: 'sam' } });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_courses', arguments: {} } };
  expect(await post(origin, call)).toMatchObject({
    body: { result: { content: [{ type: 'text', text: 'Knots and splices' }] } },
  });
  expect((await jsonResponse(await fetch(`${origin}/courses`))).body).toEqual(['Knots and splices']);
  expect((await fetch(`${origin}/unknown`)).status).toBe(404);
});
