import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jsonDocument, siteDocument } from '../../lib/http/send.ts';
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

  test('is cacheable, has an ETag, and allows every origin (CORS)', async () => {
    const response = await ask({ origin: 'https://anywhere.example' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=[1-9]/);
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('returns 304 for If-None-Match, and the same ETag for HEAD', async () => {
    const etag = (await ask()).headers.get('etag') ?? '';
    const again = await ask({ 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  test('differs between schools', async () => {
    const there = await fetch(`${schools.summit}${path}`);
    expect(there.headers.get('etag')).not.toBe((await ask()).headers.get('etag'));
    expect(await there.text()).not.toContain(schools.harbour);
  });

  test('returns 405 for POST', async () => {
    expect((await ask({}, 'POST')).status).toBe(405);
  });
});

test('siteDocument: a change of the site builds a new document', () => {
  const document = siteDocument((site) => jsonDocument(openApiDocument(site, littleService, [])));
  const site = { id: 'a', origin: 'https://a.example', name: 'A', connectionsEnabled: true };
  expect(document(site, {})).toBe(document({ ...site }, {}));
  expect(document({ ...site, name: 'B' }, {}).body).toContain('"title":"B API"');
});

test('discovery: service_documentation and resource_documentation point to /auth.md', async () => {
  const server = await getJson(`${schools.harbour}/.well-known/oauth-authorization-server`);
  const resource = await getJson(`${schools.harbour}/.well-known/oauth-protected-resource/mcp`);
  const guide = `${schools.harbour}/auth.md`;
  expect([server.body['service_documentation'], resource.body['resource_documentation']]).toEqual([guide, guide]);
});
