import { expect, test } from '@jest/globals';
import Koa from 'koa';
import { AccessDenied, InvalidClient } from '../../lib/index.ts';
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

// RFC 6749 section 5.2.
const allowed = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

test.each([
  ['say "no" to C:\\', "say 'no' to C:/"],
  ['the school’s “rule” – see…', "the school's 'rule' - see..."],
  ['this school says: 請聯絡老師。Ask the office', 'this school says: ?Ask the office'],
  ['one\r\ntwo\tthree\u0000\u007f\u{1f600}\ud800', 'one  two three?'],
])('error_description has only the characters that it may have: %j', (text, written) => {
  const error = new InvalidClient(text);
  expect(error.message).toBe(text);
  expect(error.toJSON().error_description).toBe(written);
  expect(written).toMatch(allowed);
});
