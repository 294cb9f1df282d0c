import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jsonDocument } from '../../lib/http/send.ts';
import { siteDocument } from '../../lib/http/site-document.ts';
import { openApiDocument } from '../../lib/describe/openapi/document.ts';
import { getJson } from '../conformance/probes.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { everything, littleService } from './configurations.ts';

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools(everything());
});
afterAll(() => schools.close());

describe.each([
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/auth.md', 'text/markdown; charset=utf-8'],
])('%s', (path, type) => {
  const ask = (headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
    fetch(`${schools.harbour}${path}`, { method, headers: { 'cache-control': 'max-age=0', ...headers } });

  test('can be kept, has an entity tag, and is readable by any script', async () => {
    const answer = await ask({ origin: 'https://anywhere.example' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('is 304 for who has it, and the same by HEAD', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    const again = await ask({ 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  test('is another one at the other school', async () => {
    const there = await fetch(`${schools.summit}${path}`);
    expect(there.headers.get('etag')).not.toBe((await ask()).headers.get('etag'));
    expect(await there.text()).not.toContain(schools.harbour);
  });

  test('takes no other method', async () => {
    expect((await ask({}, 'POST')).status).toBe(405);
  });
});

test('whatever of a site shows in a document makes another document of it', () => {
  const document = siteDocument((site) => jsonDocument(openApiDocument(site, littleService)));
  const site = { id: 'a', origin: 'https://a.example', name: 'A', connectionsEnabled: true };
  expect(document(site)).toBe(document({ ...site }));
  expect(document({ ...site, id: 'b' }).body).toContain('"org_id":"b"');
});

test('discovery points to the guide', async () => {
  const server = await getJson(`${schools.harbour}/.well-known/oauth-authorization-server`);
  const resource = await getJson(`${schools.harbour}/.well-known/oauth-protected-resource/mcp`);
  const guide = `${schools.harbour}/auth.md`;
  expect([server.body['service_documentation'], resource.body['resource_documentation']]).toEqual([guide, guide]);
});
