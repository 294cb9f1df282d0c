import { connect, createServer } from 'node:http2';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { plugins, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

test('a form and a JSON body of HTTP/2 need no content-length', async () => {
  let origin = '';
  const schools = await startSchools({
    ...plugins,
    platform: {
      findSite: (asked) => (asked === origin ? harbourSite(origin) : undefined),
    },
  });
  const server = createServer();
  server.on('request', schools.campus.handler());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const session = connect(origin);
  const post = async (path: string, type: string, body: string): Promise<unknown> => {
    const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': type });
    stream.write(body.slice(0, 5));
    stream.end(body.slice(5));
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    return JSON.parse(text);
  };
  try {
    const form = await post('/api/oauth/token', 'application/x-www-form-urlencoded', 'grant_type=password');
    expect(form).toMatchObject({ error_description: expect.stringContaining('client_id is missing') });
    const query = await post('/member/graphql', 'application/json', '{"query":"{ viewer { id } }"}');
    expect(query).toMatchObject({ error: 'invalid_token' });
  } finally {
    session.destroy();
    server.close();
    await schools.close();
  }
});
