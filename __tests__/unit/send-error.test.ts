import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { AccessDenied } from '../../lib/index.ts';
import { sendError } from '../../lib/http/send.ts';
import { listen } from '../helpers/server.ts';

test('an error adds to the Vary header of the host and does not replace it', async () => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.vary('Accept-Encoding');
    sendError(ctx, new AccessDenied('not this origin', { status: 403, headers: { Vary: 'Origin' } }));
  });
  const server = await listen(() => app.callback());
  const response = await fetch(`http://127.0.0.1:${server.port}/`);
  await server.close();
  expect([response.status, response.headers.get('vary')]).toEqual([403, 'Accept-Encoding, Origin']);
});
