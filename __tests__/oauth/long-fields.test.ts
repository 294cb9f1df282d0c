import { afterEach, expect, test } from '@jest/globals';
import { type Schools, startSchools } from '../helpers/schools.ts';

let schools: Schools;
afterEach(() => schools.close());

const paths = [
  '/api/oauth/token',
  '/api/oauth/revoke',
  '/api/oauth/introspect',
  '/oauth/authorize',
  '/account/apps',
  '/developers/oauth-applications/new',
];

test.each(paths)('a form at %s has no field of more than 24,000 characters', async (path) => {
  schools = await startSchools();
  const post = async (state: string): Promise<string> => {
    const body = new URLSearchParams({ client_id: 'web-member-app', state });
    const init = { method: 'POST', body, headers: { accept: 'application/json' } };
    const response = await schools.browser('olivia').fetch(`${schools.harbour}${path}`, init);
    return `${response.status} ${await response.text()}`;
  };
  expect(await post('x'.repeat(24_000))).not.toContain('24000');
  expect(await post(' '.repeat(24_001))).toMatch(/^400 .*state must have at most 24000 characters/s);
});

test('of a field that is sent twice, each counts', async () => {
  schools = await startSchools();
  const body = new URLSearchParams({ resource: 'x' });
  body.append('resource', 'x'.repeat(24_001));
  const response = await fetch(`${schools.harbour}/api/oauth/token`, { method: 'POST', body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error_description: 'resource must have at most 24000 characters' });
});
