import { Readable } from 'node:stream';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { EngineRequest } from '../../lib/engine/engine-request.ts';
import { campusParts } from '../helpers/parts.ts';
import { harbourSite } from '../helpers/sites.ts';

function liveRequest(): IncomingMessage {
  const live = new IncomingMessage(new Socket());
  live.method = 'POST';
  live.url = 'https://evil.example/oauth/token';
  live.headers = {
    host: 'evil.example',
    ':authority': 'evil.example',
    forwarded: 'host=evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-for': '192.0.2.1',
    'content-type': 'application/json',
    'content-length': '7',
    'content-encoding': 'gzip',
    'transfer-encoding': 'chunked',
    cookie: 'a=b',
    accept: 'text/html',
  };
  return live;
}

const origin = new URL('https://harbour.example');
const site = harbourSite(origin.origin);
const { settings, core } = await campusParts();

function requestFor(live: IncomingMessage): EngineRequest {
  const ctx = new Koa().createContext(live, new ServerResponse(live));
  return new EngineRequest(ctx, site, { core, enabled: settings.enabled, proofs: [] });
}

test('what the engine reads has the site’s address, our form, and of the live headers those that the engine may read', async () => {
  const live = liveRequest();
  const message = requestFor(live).message('/oauth/token', origin, 'code=é');
  expect([message.method, message.url, message.socket]).toEqual(['POST', '/oauth/token', live.socket]);
  expect(message.headers).toEqual({
    host: 'harbour.example',
    'x-forwarded-proto': 'https',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '7',
    cookie: 'a=b',
    accept: 'text/html',
  });
  expect(live.headers['host']).toBe('evil.example');
});

test('the body of what the engine reads is a stream that ends with the form, even if the live one is destroyed', async () => {
  const live = liveRequest();
  live.destroy();
  const message = requestFor(live).message('/oauth/token', origin, 'code=é');
  expect(message).toBeInstanceOf(Readable);
  expect(message.readable).toBe(true);
  expect(await text(message)).toBe('code=é');
  expect(await text(requestFor(live).message('/', origin))).toBe('');
});

test('what iterates over the request of the engine gets the form without reading its stream', async () => {
  const message = requestFor(liveRequest()).message('/oauth/token', origin, 'code=é');
  expect(await text(message.iterator())).toBe('code=é');
  expect(message.readableDidRead).toBe(false);
  expect(await text(requestFor(liveRequest()).message('/', origin).iterator())).toBe('');
});

test.each(['read', 'not read'])(
  'destroying the request of the engine that was %s leaves the live socket open',
  async (name) => {
    const live = liveRequest();
    const message = requestFor(live).message('/oauth/token', origin, 'code=1');
    if (name === 'read') await text(message);
    const closed = new Promise((resolve) => message.once('close', resolve));
    message.destroy();
    if (!message.closed) await closed;
    expect(live.socket.destroyed).toBe(false);
  },
);
