import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import express4 from 'express-4';
import type { Middleware } from 'koa';
import { createNodeHandler } from '../../lib/http/node-handler.ts';
import { connect, jsonResponse, webMemberApp } from '../helpers/flow.ts';
import { rawRequest } from '../helpers/raw-http.ts';
import { expectError } from '../helpers/responses.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { listen, type TestServer } from '../helpers/server.ts';
import { hostApp } from './frameworks.ts';

let running: Pick<Schools | TestServer, 'close'> | undefined;
afterEach(() => running?.close());

/** The session that the host keeps on its own request. */
function sessionOf(req: IncomingMessage): { memberId: string } | undefined {
  return 'session' in req && req.session === session ? session : undefined;
}
const session = { memberId: 'sam' };

test.each([
  ['Express 5', express],
  ['Express 4', express4],
])('%s: the platform gets the very request of the host, with its session', async (_name, version) => {
  const requests = new WeakSet<IncomingMessage>();
  const asked: boolean[] = [];
  let signedIn = true;
  const schools = await startSchools({
    platform: {
      signedInMember: (ctx) => {
        asked.push(requests.has(ctx.req));
        return signedIn ? sessionOf(ctx.req) : undefined;
      },
      signInUrl: (ctx, site) => {
        asked.push(requests.has(ctx.req));
        return `${site.origin}/sign-in?session=${String(sessionOf(ctx.req) !== undefined)}`;
      },
    },
    app: (campus) => {
      const app = version();
      app.use((req, _res, next) => {
        requests.add(req);
        Object.assign(req, { session });
        next();
      });
      return hostApp(app.use(campus.handler()));
    },
  });
  running = schools;
  expect(await connect(schools.browser(), schools.harbour, webMemberApp)).toMatchObject({ status: 200 });
  signedIn = false;
  const url = `${schools.harbour}/developers/connected-apps`;
  await fetch(url, { redirect: 'manual' });
  expect(asked.length).toBeGreaterThan(1);
  expect(asked).not.toContain(false);
});

test.each([
  [{ proxy: 'yes' }, 'handler.proxy must be true or false'],
  [{ maxIpsCount: 0 }, 'handler.maxIpsCount must be a whole number, at least 1 and at most 100'],
  [{ trustProxy: true }, 'unknown option "handler.trustProxy"; valid options: proxy, maxIpsCount'],
  ['x', 'handler must be an object'],
])('an option that is wrong is a TypeError: %j', async (options, message) => {
  const schools = await startSchools();
  running = schools;
  const { campus } = schools;
  expect(() => Reflect.apply(Reflect.get(campus, 'handler'), campus, [options])).toThrow(new TypeError(message));
});

test('what is in front of the handler is kept when a request falls through, and the request has no trace of it', async () => {
  const schools = await startSchools({
    app: (campus) => {
      const app = express();
      app.use((_req, res, next) => {
        res.status(202).set('X-Front', 'here');
        next();
      });
      app.use(campus.handler());
      app.use((req, res) => void res.send(`${res.statusCode} ${req.url} ${req.originalUrl}`));
      return hostApp(app);
    },
  });
  running = schools;
  const response = await fetch(`${schools.harbour}/a?b`);
  expect([response.status, await response.text()]).toEqual([202, '202 /a?b /a?b']);
  expect(response.headers.get('x-front')).toBe('here');
});

/** A server around one Koa middleware, with what it reports. */
async function serve(middleware: Middleware, next?: () => void) {
  const faults: { message: string; cause: unknown }[] = [];
  const handle = createNodeHandler(middleware, (message, cause) => faults.push({ message, cause }));
  const server = await listen(() => (req, res) => handle(req, res, next));
  running = server;
  return { faults, url: `http://127.0.0.1:${server.port}/` };
}

describe('faults', () => {
  test('an error of the middleware is a fault and 500', async () => {
    const failure = new Error('a defect');
    const { faults, url } = await serve(() => {
      throw failure;
    });
    expectError(await jsonResponse(await fetch(url)), 500, 'server_error');
    expect(faults).toEqual([{ message: 'a request failed', cause: failure }]);
  });

  test('an error that next throws is a fault and 500, not the end of the process', async () => {
    const failure = new Error('of the host');
    const { faults, url } = await serve(
      (_ctx, next) => next(),
      () => {
        throw failure;
      },
    );
    expect((await fetch(url)).status).toBe(500);
    expect(faults).toEqual([{ message: 'a request failed', cause: failure }]);
  });

  test('a response whose stream fails is a fault', async () => {
    const failure = new Error('the stream broke');
    const { faults, url } = await serve((ctx) => {
      ctx.body = Readable.from(
        (async function* () {
          yield 'begun';
          throw failure;
        })(),
      );
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(faults).toContainEqual({ message: 'a request failed', cause: failure });
  });

  test('a caller that goes away in the middle of a response is none', async () => {
    const body = new Readable({ read() {} });
    const { faults, url } = await serve((ctx) => {
      ctx.body = body;
    });
    body.push('begun');
    const request = get(url);
    const [response] = await once(request, 'response');
    await once(response, 'data');
    const closed = new Promise((resolve) => body.once('close', resolve));
    request.destroy();
    await closed;
    expect(body.destroyed).toBe(true);
    expect(faults).toEqual([]);
  });

  test.each([
    ['ends in the middle of a chunk', '5\r\nab'],
    ['ends between two chunks', '5\r\ngrant\r\n'],
    ['has a chunk size that is no number', 'zz\r\nab'],
    ['has a wrong trailer', '0\r\nX\u0001: 1\r\n\r\n'],
  ])('a chunked body that %s is none, and the caller gets 400', async (_how, rest) => {
    const schools = await startSchools({ app: (campus) => hostApp(campus.handler()) });
    running = schools;
    const { port, host } = new URL(schools.harbour);
    const response = await rawRequest(Number(port), [
      'POST /api/oauth/token HTTP/1.1',
      `Host: ${host}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Transfer-Encoding: chunked',
      '',
      `5\r\ngrant\r\n${rest}`,
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(`${schools.harbour}/auth.md`)).status).toBe(200);
    expect(schools.faults).toEqual([]);
  });
});

test('without next, a request that falls through is not found', async () => {
  const schools = await startSchools({ app: (campus) => hostApp(campus.handler()) });
  running = schools;
  const response = await fetch(`${schools.harbour}/elsewhere`);
  expect([response.status, await response.text()]).toEqual([404, 'Not Found']);
});

test('the handler is a listener of node:http as it is', async () => {
  const schools = await startSchools();
  running = schools;
  const server = createServer(schools.campus.handler());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  expect((await fetch(`http://127.0.0.1:${port}/auth.md`)).status).toBe(404);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
