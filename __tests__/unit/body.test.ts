import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import Koa from 'koa';
import { readJson } from '../../lib/http/body.ts';
import { OAuthError } from '../../lib/index.ts';
import { listen } from '../helpers/server.ts';

const head = (length: number): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('bodies that come in one packet with their headers are read without a timer, each to its own end', async () => {
  const ended: unknown[] = [];
  const read: unknown[] = [];
  const server = await listen(() => {
    const app = new Koa();
    app.use(async (ctx) => {
      ctx.req.once('end', () => ended.push(ctx.req.url));
      await Promise.resolve();
      const timers = jest.spyOn(globalThis, 'setTimeout');
      read.push(await readJson(ctx));
      expect(timers).not.toHaveBeenCalled();
      timers.mockRestore();
      ctx.body = '';
    });
    const handle = app.callback();
    return (req, res) => void handle(req, res);
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.write(`${head(3)}"a"${head(4)}"bc"`);
  while (received.split('HTTP/1.1 200').length < 3) await once(socket, 'data');
  expect(read).toEqual(['a', 'bc']);
  expect(ended).toEqual(['/', '/']);
  socket.destroy();
  await server.close();
});

test('a body of several packets, all of which have arrived, is read whole', async () => {
  const server = await listen(() => {
    const app = new Koa();
    app.use(async (ctx) => {
      while (ctx.req.readableLength < Number(ctx.get('Content-Length'))) await immediate();
      // As in Node 26: a call without a size returns one packet.
      const read = ctx.req.read.bind(ctx.req);
      ctx.req.read = (size = 2): unknown => read(size);
      ctx.body = await readJson(ctx);
    });
    const handle = app.callback();
    return (req, res) => void handle(req, res);
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(head(7));
  for (const packet of ['["', 'ab', 'c', '"]']) await new Promise((sent) => void socket.write(packet, sent));
  let received = '';
  while (!/[\]}]$/.test(received)) received += String(await once(socket, 'data'));
  expect(received).toMatch(/\r\n\r\n\["abc"\]$/);
  socket.destroy();
  await server.close();
});

test('a body that does not arrive in time gets 408, and the connection is closed', async () => {
  const server = await listen(() => {
    const app = new Koa();
    app.use(async (ctx) => {
      ctx.body = await readJson(ctx, 100, 0.05).catch((error: unknown) => {
        if (!(error instanceof OAuthError)) throw error;
        ctx.status = error.status;
        return error.message;
      });
    });
    const handle = app.callback();
    return (req, res) => void handle(req, res);
  });
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`${head(50)}{`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'end');
  const response = Buffer.concat(chunks).toString();
  expect(response).toMatch(/^HTTP\/1\.1 408 /);
  expect(response).toContain('Connection: close');
  expect(response).toContain('the body must arrive within 0.05 seconds');
  socket.destroy();
  await server.close();
});

test('a body in many small chunks takes little more memory than its content', async () => {
  const pieces = 200_000;
  const body = Readable.from(
    (function* () {
      for (let i = 0; i < pieces; i += 1) yield Buffer.from(' ');
      yield Buffer.from('1');
    })(),
    { objectMode: true },
  );
  const kept: number[] = [];
  const concat = Buffer.concat.bind(Buffer);
  const watched = jest.spyOn(Buffer, 'concat').mockImplementation((list, length) => {
    kept.push(list.length);
    return concat(list, length);
  });
  try {
    const req = Object.assign(body, { headers: { 'content-type': 'application/json' } });
    const ctx = { req, request: { length: undefined }, get: () => '' };
    expect(await Reflect.apply(readJson, undefined, [ctx, pieces + 1])).toBe(1);
  } finally {
    watched.mockRestore();
  }
  expect(Math.max(...kept)).toBeLessThanOrEqual(1024);
});
