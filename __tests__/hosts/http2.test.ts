import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type OutgoingHttpHeaders } from 'node:http2';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

let schools: Schools;
let origin = '';
const server = createServer();
beforeAll(async () => {
  schools = await startSchools({
    ...plugins,
    platform: {
      findSite: (asked) => (asked === origin ? harbourSite(origin) : undefined),
    },
  });
  const handle = schools.campus.handler();
  const guard = schools.campus.guard({ anonymous: true });
  server.on('request', (req: IncomingMessage, res: ServerResponse) =>
    handle(req, res, () => guard(req, res, () => res.end(JSON.stringify({ token: guard.tokenOf(req) ?? null })))),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(async () => {
  server.close();
  await schools.close();
});

/** Sends a body in two parts. */
async function send(headers: OutgoingHttpHeaders, body = ''): Promise<{ status: unknown; body: unknown }> {
  const session = connect(origin);
  const stream = session.request(headers, { endStream: body === '' });
  if (body !== '') {
    stream.write(body.slice(0, 5));
    stream.end(body.slice(5));
  }
  let status: unknown;
  stream.on('response', (received) => {
    status = received[':status'];
  });
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
  session.destroy();
  return { status, body: text === '' ? '' : JSON.parse(text) };
}

test('a form and a JSON body of HTTP/2 need no content-length', async () => {
  const post = { ':method': 'POST', 'content-type': 'application/x-www-form-urlencoded' };
  const form = await send({ ...post, ':path': '/api/oauth/token' }, 'grant_type=password');
  expect(form.body).toMatchObject({ error_description: expect.stringContaining('client_id is missing') });
  const json = { ...post, ':path': '/member/graphql', 'content-type': 'application/json' };
  expect((await send(json, '{"query":"{ viewer { id } }"}')).body).toMatchObject({ error: 'invalid_token' });
});

test('a guard reads the school of HTTP/2 from :authority, and answers a preflight request', async () => {
  expect(await send({ ':path': '/api' })).toEqual({ status: 200, body: { token: null } });
  expect(await send({ ':path': '/api', ':authority': 'evil.example' })).toMatchObject({ status: 404 });
  expect(await send({ ':path': '/api', authorization: 'Bearer nonsense' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_token' },
  });
  const preflight = { ':method': 'OPTIONS', origin: 'https://a.example', 'access-control-request-method': 'GET' };
  expect(await send({ ...preflight, ':path': '/api' })).toEqual({ status: 204, body: '' });
});
