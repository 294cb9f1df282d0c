import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import type { Browser, Stop } from '../helpers/browser.ts';
import type { Member } from '../../lib/index.ts';
import { authorizeUrl, connect, memberApp, pkce, refresh } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

// The steps of docs/schools/block-an-app.md, with the words that it has for what is on the pages.

const labels = [
  ...readFileSync(join(import.meta.dirname, '../../docs/schools/block-an-app.md'), 'utf8').matchAll(
    /(?<!\w)_([^_]+)_/g,
  ),
].map(([, label = '']) => label.replaceAll(/\s+/g, ' '));

let schools: Schools;
let browser: Browser;
afterEach(() => schools.close());

/** The text of all pages that were opened. */
const seen: string[] = [];
function look(page: Stop): Stop {
  seen.push(page.html, readPage(page.html).text);
  return page;
}

/** Saves the decision that the page shows, with one choice and these roles ticked. */
async function decide(page: Stop, access: string, roles: readonly string[]): Promise<Stop> {
  const form = readPage(page.html)
    .getAllByRole('form')
    .find(({ fields }) => fields.get('action') === 'rule');
  const body = new URLSearchParams(form?.fields);
  body.delete('role');
  for (const role of roles) body.append('role', role);
  body.set('access', access);
  return look(await browser.follow(new URL(form?.attribute('action') ?? '', page.url), { method: 'POST', body }));
}

test('an administrator blocks an app for students, who can ask, and takes it back', async () => {
  const roles = ['owner', 'teacher', 'student'];
  const named = ['Owner', 'Teacher', 'Student'].map((name) => ({ role: name.toLowerCase(), name }));
  let isDown = false;
  const rolesOf = (): typeof named => {
    if (isDown) throw new Error('no directory');
    return named;
  };
  schools = await startSchools({ ...plugins, platform: { roles: rolesOf } });
  browser = schools.browser('olivia');
  const { harbour } = schools;
  const { body: student } = await connect(schools.browser('sam'), harbour, memberApp);
  const { body: teacher } = await connect(schools.browser('olivia'), harbour, memberApp);
  // Who has left the school is not among those who keep it.
  const people: Record<string, Member> = schools.people['harbour'] ?? {};
  people['nia'] = { id: 'nia', name: 'Nia Former', email: 'nia@example.com', roles: ['owner'] };
  await connect(schools.browser('nia'), harbour, memberApp);
  delete people['nia'];

  const apps = look(await browser.follow(`${harbour}/developers/apps?q=Pocket`));
  const [app] = readPage(apps.html)
    .getByRole('table')
    .getAllByRole('link')
    .filter(({ name }) => name === 'Pocket School');
  const page = look(await browser.follow(new URL(app?.href ?? '', apps.url)));
  const asked = await decide(page, 'allowed', ['owner', 'teacher']);
  const confirmation = readPage(asked.html);
  confirmation.getByRole('heading', { name: 'Turn off Pocket School for Student?' });
  confirmation.getByRole('button', { name: 'Turn off for Student' });
  expect(
    confirmation
      .getByRole('main')
      .getAllByRole('listitem')
      .map(({ text }) => text),
  ).toEqual([
    'One person (Student) is disconnected right away and can’t connect it again.',
    'One person (Owner) keeps it. Nothing changes for them.',
    'People who lose it read in Your apps: “Harbour School has turned off Pocket School.”',
  ]);
  const saved = look(
    await browser.follow(asked.url, { method: 'POST', body: new URLSearchParams(readPage(asked.html).fields) }),
  );
  readPage(saved.html).getByRole('heading', { name: 'Pocket School' });
  expect(readPage(saved.html).getByRole('status').text).toBe('The decision is saved. One person was disconnected.');

  expect((await refresh(harbour, memberApp, student['refresh_token'])).body['error']).toBe('invalid_grant');
  const ofStudent = await schools.browser('sam').follow(`${harbour}/account/apps`);
  expect(readPage(ofStudent.html).text).toContain('Harbour School has turned off Pocket School.');
  expect((await refresh(harbour, memberApp, teacher['refresh_token'])).status).toBe(200);
  const refused = look(await schools.browser('sam').follow(authorizeUrl(harbour, memberApp, pkce())));
  expect(refused.response.status).toBe(403);
  readPage(refused.html).getByRole('button', { name: 'Ask the school' });
  readPage(refused.html).getByRole('heading', { name: 'Pocket School can’t be connected.' });
  readPage(refused.html).getByText(
    'At Harbour School, only people with one of these roles can connect it: Owner, Teacher.',
  );
  isDown = true;
  const unnamed = await schools.browser('sam').follow(authorizeUrl(harbour, memberApp, pkce()));
  expect([unnamed.response.status, readPage(unnamed.html).text]).toEqual([
    403,
    expect.stringContaining('Harbour School lets only people with certain roles connect this app.'),
  ]);
  isDown = false;

  const told = look(await schools.browser('sam').follow(`${harbour}/account/apps`));
  readPage(told.html).getByText('Harbour School has turned off Pocket School.');

  await decide(saved, 'allowed', roles);
  expect((await connect(schools.browser('sam'), harbour, memberApp)).status).toBe(200);
  expect(labels.filter((label) => !seen.some((html) => html.includes(label)))).toEqual([]);
});
