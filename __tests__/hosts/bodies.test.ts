import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import express4 from 'express-4';
import Koa from 'koa';
import type { Campus } from '../../lib/index.ts';
import { authorizeUrl, jsonResponse, connect, pkce, postForm, webMemberApp } from '../helpers/flow.ts';
import { csrfOf } from '../helpers/browser.ts';
import { expectError } from '../helpers/responses.ts';
import { type HostApp, plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { post } from '../mcp/rpc.ts';
import { hostApp } from './frameworks.ts';

let schools: Schools;
afterEach(() => schools.close());

/** Reads the body and leaves nothing; of every request, or of those whose address says so. */
const consume: express.RequestHandler = (req, _res, next) => {
  if (req.method !== 'POST') return next();
  req.resume().once('end', () => next());
};

function expressHost(version: typeof express, ...inFront: readonly express.RequestHandler[]) {
  return (campus: Campus): HostApp => hostApp(version().use(...inFront, campus.handler()));
}

function koaHost(campus: Campus): HostApp {
  const app = new Koa();
  app.use(async (ctx, next) => {
    if (ctx.method === 'POST') await new Promise((resolve) => ctx.req.resume().once('end', resolve));
    await next();
  });
  return app.use(campus.middleware());
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping', params: {} };
const big = (bytes: number) => ({ ...ping, params: { filling: 'x'.repeat(bytes) } });

describe.each([
  ['Koa', koaHost],
  ['Express 5', expressHost(express, consume)],
  ['Express 5, a parser of another type', expressHost(express, express.text({ type: 'text/html' }), consume)],
  ['Express 4', expressHost(express4, consume)],
  ['Express 4, parsers that leave {}', expressHost(express4, express4.text(), consume)],
])('%s: a body that was read, and of which nothing is left, is the host’s fault', (_name, app) => {
  test.each([
    ['the token endpoint', (origin: string) => postForm(`${origin}/api/oauth/token`, { grant_type: 'refresh_token' })],
    ['/mcp', (origin: string) => post(origin, ping)],
  ])('at %s', async (_endpoint, send) => {
    schools = await startSchools({ ...plugins, app });
    expectError(await send(schools.harbour), 500, 'server_error');
    expect(schools.faults).toEqual([{ message: 'a request failed', cause: expect.any(Error) }]);
    expect(String(schools.faults[0]?.cause)).toMatch(/the request body was read before .* is empty/);
  });
});

test('the Member API and the consent page say the same', async () => {
  let consumes = false;
  schools = await startSchools({
    ...plugins,
    app: expressHost(express, (req, res, next) => void (consumes ? consume(req, res, next) : next())),
  });
  const { harbour } = schools;
  const browser = schools.browser('sam');
  const tokens = await connect(browser, harbour, webMemberApp);
  const page = await browser.follow(authorizeUrl(harbour, webMemberApp, pkce(), { prompt: 'consent' }));
  consumes = true;
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${String(tokens.body['access_token'])}`,
  };
  const body = JSON.stringify({ query: '{ viewer { name } }' });
  const response = await fetch(`${harbour}/member/graphql`, { method: 'POST', headers, body });
  expectError(await jsonResponse(response), 500, 'server_error');
  const form = new URLSearchParams({ csrf: csrfOf(page.html), decision: 'allow' });
  expect((await browser.fetch(page.url, { method: 'POST', body: form })).status).toBe(500);
  expect(schools.faults.map(({ cause }) => String(cause))).toEqual([
    expect.stringContaining('req.body (Koa: ctx.request.body) is empty'),
    expect.stringContaining('req.body (Koa: ctx.request.body) is empty'),
  ]);
});

test.each([
  ['Express 5', expressHost(express, express.json())],
  ['Express 4', expressHost(express4, express4.json())],
])('%s: an empty object and an empty body are the client’s', async (_name, app) => {
  schools = await startSchools({ ...plugins, app });
  const { harbour } = schools;
  expect((await post(harbour, '{}')).status).toBe(400);
  expect((await post(harbour, '')).status).toBe(400);
  expect((await fetch(`${harbour}/api/oauth/token`, { method: 'POST' })).status).toBe(400);
  expect(schools.faults).toEqual([]);
});

test.each([
  ['Express 5', expressHost(express, express.json(), express.urlencoded())],
  ['Express 4', expressHost(express4, express4.json(), express4.urlencoded({ extended: false }))],
])('%s: an object that is empty after parsing is the client’s', async (_name, app) => {
  schools = await startSchools({ ...plugins, app });
  expect((await post(schools.harbour, '{            }')).status).toBe(400);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const form = { method: 'POST', headers, body: '&&&&&&&&' };
  expect((await fetch(`${schools.harbour}/api/oauth/token`, form)).status).toBe(400);
  expect(schools.faults).toEqual([]);
});

/** Posts a form in two parts, the second one once the host has seen the request. */
async function inTwoParts(seen: Promise<unknown>): Promise<number | undefined> {
  const body = 'grant_type=refresh_token&client_id=member-app';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
  const sending = request(`${schools.harbour}/api/oauth/token`, { method: 'POST', headers });
  const responded = once(sending, 'response');
  sending.write(body.slice(0, 10));
  await seen;
  sending.end(body.slice(10));
  const [response] = await responded;
  response.resume();
  return response.statusCode;
}

test.each([
  ['Express', (see: () => void) => expressHost(express, (req, _res, next) => (see(), req.setEncoding('utf8'), next()))],
  [
    'Koa',
    (see: () => void) => (campus: Campus) => {
      const app = new Koa();
      app.use((ctx, next) => (see(), ctx.req.setEncoding('utf8'), next()));
      return app.use(campus.middleware());
    },
  ],
])('%s: a host that has set an encoding gets the response of any other', async (_name, host) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  schools = await startSchools({ ...plugins, app: host(resolve) });
  expect(await inTwoParts(promise)).toBe(400);
  expect(schools.faults).toEqual([]);
});

test('a body that the host is still reading is not taken for a whole one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begins: express.RequestHandler = (req, _res, next) => {
    req.once('data', (chunk: Buffer) => {
      Object.assign(req, { rawBody: chunk.toString() });
      next();
      resolve();
    });
  };
  schools = await startSchools({ ...plugins, app: expressHost(express, begins) });
  expect(await inTwoParts(promise)).toBe(500);
  expect(String(schools.faults[0]?.cause)).toContain('the request body has been read in part');
});

const bytes = express.raw({ type: '*/*', limit: '5mb' });
const text = express.text({ type: '*/*', limit: '5mb' });
const json = express.json({ limit: '5mb' });
const withRaw = express.json({
  limit: '5mb',
  verify: (req, _res, raw) => void Object.assign(req, { rawBody: raw }),
});

test.each([
  ['bytes', bytes],
  ['text', text],
  ['an object', json],
  ['an object and its bytes', withRaw],
])('the limits of the endpoints hold for a body that the host has read: %s', async (_name, parser) => {
  schools = await startSchools({ ...plugins, app: expressHost(express, parser) });
  const { harbour } = schools;
  expect((await post(harbour, big(60_000))).status).toBe(200);
  expect((await post(harbour, big(1024 * 1024))).status).toBe(413);
  expect(schools.faults).toEqual([]);
});

test.each([
  ['bytes', bytes],
  ['text', text],
  ['an object and its bytes', withRaw],
])('also without a content length: %s', async (_name, parser) => {
  schools = await startSchools({ ...plugins, app: expressHost(express, parser) });
  const sending = request(`${schools.harbour}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
  });
  sending.end(JSON.stringify(big(1024 * 1024)));
  const [response] = await once(sending, 'response');
  response.resume();
  expect(response.statusCode).toBe(413);
});

test('bytes must be UTF-8', async () => {
  schools = await startSchools({ ...plugins, app: expressHost(express, bytes) });
  const { harbour } = schools;
  const send = async (body: BodyInit, type: string) =>
    jsonResponse(await fetch(`${harbour}/mcp`, { method: 'POST', headers: { 'content-type': type }, body }));
  const wrong = await send(Buffer.from([0x22, 0xff, 0x22]), 'application/json');
  expect(JSON.stringify(wrong)).toContain('the body must be UTF-8');
  const wide = await send(JSON.stringify(ping), 'application/json; charset=utf-16');
  expect(JSON.stringify(wide)).toContain('the body must be UTF-8, not utf-16');
  expect((await send(JSON.stringify(ping), 'application/json; charset=iso-8859-1')).status).toBe(200);
  const marked = await send(`\uFEFF${JSON.stringify(ping)}`, 'application/json; charset=utf-8');
  expect(marked.status).toBe(200);
});

test('the raw body is read in place of what a parser made of it', async () => {
  const parser = express.urlencoded({
    extended: true,
    verify: (req, _res, raw) => void Object.assign(req, { rawBody: raw.toString() }),
  });
  schools = await startSchools({ ...plugins, app: expressHost(express, parser) });
  const body = new URLSearchParams('grant_type=refresh_token&client_id=member-app&refresh_token=x&more[a]=b');
  const response = await jsonResponse(await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST', body }));
  expectError(response, 400, 'invalid_grant');
});
