import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import { loopbackClients } from '../../policies/loopback-clients.ts';
import { metadataDocuments } from '../../policies/documents/metadata-documents.ts';
import { progressOf } from '../../lib/features/assistants/progress.ts';
import { authorizeUrl, connect, memberApp, pkce, type TestClient, webMemberApp } from '../helpers/flow.ts';
import { partsOf } from '../../lib/public/campus.ts';
import { type Page, type Part, readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { testData } from '../member-api/data.ts';

// Sentences of pages that were once untrue, each beside what makes it true.

const apps = '/developers/oauth-applications';
const document = 'https://agents.example/client.json';

const registered: AuditEvent = {
  version: 1,
  time: '2026-05-20T14:34:00Z',
  eventId: 'registered',
  siteId: 'harbour',
  action: 'registration.admitted',
  outcome: 'allowed',
  actor: { kind: 'client', id: 'claimed' },
  claimed: { name: 'Claude' },
};

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    ...plugins,
    memberApi: { data: testData().data },
    campus: {
      registration: [loopbackClients()],
      metadataDocuments: metadataDocuments({ hosts: ['agents.example', 'mirror.example'] }),
      pages: { gallery: '/gallery' },
      log: { list: ({ id }) => ({ events: id === 'harbour' ? [registered] : [] }) },
      access: [({ client }) => (client.id === webMemberApp.id ? { access: 'blocked' } : undefined)],
    },
  });
});
afterAll(() => schools.close());

async function open(person: string, address: string | URL): Promise<Page> {
  return readPage((await schools.browser(person).follow(new URL(address, schools.harbour))).html);
}

/** An app on a computer, by the name that it gives itself. */
async function register(name: string): Promise<TestClient> {
  const { redirectUri } = memberApp;
  const answer = await fetch(`${schools.harbour}/api/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id: id } = Object(await answer.json());
  return { id, redirectUri, scope: 'openid courses:read' };
}

const example = (name: string): Promise<Page> => open('olivia', `/gallery/${name}`);

/** The picture above the heading. */
const tileOf = (page: Page): string => {
  const tile = page.getAll((part) => /\bround\b/.test(part.attribute('class') ?? ''))[0];
  return tile?.attribute('class') ?? '';
};

describe('what an app did first', () => {
  const call = (time: string) => ({
    time,
    action: 'tool.called' as const,
    outcome: 'allowed' as const,
    clientId: 'claude',
    memberId: 'sam',
    tool: { name: time, outcome: 'succeeded' as const },
  });
  const connection = { clientId: 'claude', createdAt: Date.parse('2026-05-20T12:00Z') / 1000, allowedAt: 0 };
  const first = (...times: string[]): string | undefined =>
    progressOf({ memberId: 'sam', isAdministrator: false, codeSeconds: 60 }, [connection], times.map(call)).called.event
      ?.tool?.name;

  test('is the first of its calls, not the latest', () => {
    expect(first('2026-05-22T12:00Z', '2026-05-21T12:00Z')).toBe('2026-05-21T12:00Z');
  });

  test('is nothing that it did before it was disconnected', () => {
    expect(first('2026-05-21T12:00Z', '2026-05-19T12:00Z')).toBe('2026-05-21T12:00Z');
    expect(first('2026-05-19T12:00Z')).toBeUndefined();
  });
});

test('who registers itself is said to have given its name itself', async () => {
  const activity = await open('olivia', '/developers/apps/activity?all=yes');
  activity.getByText(/^An app registered as Claude/);
});

test('an app that is not there: the school has not added it, or it was removed since', async () => {
  const page = await open('olivia', `${apps}/app-gone`);
  page.getByText('Harbour School has not added an app with this address, or it has been removed.');
});

test('“filled in below” stands only above a form that has what was filled in', async () => {
  const form = await open('olivia', `${apps}/new?audience=member&app=claude`);
  form.getByText('Claude: its addresses are filled in below.');
  expect(form.getByLabelText(/^Redirect URIs/).value).toContain('https://claude.ai/');
  const asking = await open('sam', '/account/apps/requests?view=new&app=claude');
  expect(asking.text).toMatch(/A new request .*Claude/);
  expect(asking.text).not.toMatch(/filled in|client ID|Redirect/i);
});

test('nobody is said to stay connected to a service', async () => {
  expect((await example('application-rotate')).text).toContain('People who are connected stay connected.');
  expect((await example('application-service-rotate')).text).not.toMatch(/connected/);
});

test('a device says when its access was renewed, which is all that is stored, not when it was used', async () => {
  const page = await example('connected-app');
  const [device] = page.getAllByRole('listitem', { text: /^Active around / });
  expect(device?.text).toMatch(/^Active around \w+, /);
  page.getByText('We can’t tell which device this is. Compare time and address.');
  expect(page.text).not.toMatch(/\bUsed: /);
});

describe('a link that leads nowhere says who can correct it, and nobody is told to try again', () => {
  const wrong = (): URL =>
    authorizeUrl(schools.harbour, { ...memberApp, redirectUri: 'https://elsewhere.example/cb' }, pkce());

  test('an app that the platform or the school has added, by its name', async () => {
    const page = await open('sam', wrong());
    const heading = page.getByRole('heading', { level: 1 });
    expect(heading.text).toBe('Pocket School sent you here with a link that doesn’t work.');
    page.getByText('It wanted to send you to an address that isn’t on its list, so we stopped.');
    page.getByText(/^Only the makers of the app can correct this\./);
    expect(page.text).not.toMatch(/try again/i);
    expect(tileOf(page)).not.toContain('allowed');
  });

  test('any other without the name that it gave itself', async () => {
    const { id } = await register('Your account is at risk');
    const page = await open(
      'sam',
      authorizeUrl(schools.harbour, { id, redirectUri: 'https://a.example/', scope: 'openid' }, pkce()),
    );
    expect(page.getByRole('heading', { level: 1 }).text).toBe('An app sent you here with a link that doesn’t work.');
    expect(page.text).not.toContain('at risk');
  });
});

describe('the address for members is no invitation for apps that are refused there', () => {
  test('an app that the school has not added leads to the question to the school', async () => {
    const page = await open('sam', '/mcp/member?app=claude');
    page.getByRole('heading', { name: 'Claude needs school approval' });
    page.getByRole('link', { name: 'Ask the school' });
    expect(page.getAll((part) => part.value.endsWith('/mcp/member'))).toEqual([]);
  });

  test('any other is told that it would be refused', async () => {
    const page = await open('sam', '/mcp/member?app=other');
    page.getByText('Staff must add your app first. If they have, give it this address.');
  });
});

test.each([
  ['the platform has set up', 'Pocket School', async () => memberApp, { isUnknown: false, isClaimed: false }],
  ['has registered itself', 'Terminal Helper', () => register('Terminal Helper'), { isUnknown: true, isClaimed: true }],
] as const)(
  'an app that %s has the same tile and the same trust on each page',
  async (_which, clientName, clientOf, trust) => {
    const client = await clientOf();
    const site = harbourSite(schools.harbour);
    await connect(schools.browser('olivia'), schools.harbour, client);
    const [connection] = await schools.campus.connections.list(site, 'olivia', { search: clientName });
    const main = async (address: string | URL): Promise<Part> => (await open('olivia', address)).getByRole('main');
    const inRow = async (address: string, role: string): Promise<Part> =>
      (await main(address)).getByRole(role, { text: new RegExp(clientName) });
    const pages = {
      consent: await main(authorizeUrl(schools.harbour, client, pkce(), { prompt: 'consent' })),
      'Your apps': await inRow('/account/apps', 'listitem'),
      'its own page': await main(`/account/apps/${connection?.id}`),
      Apps: await inRow(`/developers/apps?q=${encodeURIComponent(clientName)}`, 'row'),
      'page of the app': await main(`/developers/apps?client=${client.id}`),
    };
    const redirectUris = [client.redirectUri];
    const requests = partsOf(schools.campus)?.school.applications.requests;
    await requests?.askToConnect(site, 'olivia', { clientId: client.id, clientName, redirectUris });
    const all = { ...pages, Requests: await inRow(`${apps}/asked`, 'listitem') };
    const seen = Object.entries(all).map(([name, part]) => {
      const tile = part.getAll((each) => /\btile\b/.test(each.attribute('class') ?? ''))[0]?.attribute('class') ?? '';
      const isClaimed = /not verified|nobody can (?:check|verify)|gave itself/i.test(part.text);
      return [name, { isUnknown: tile.endsWith(' unknown'), isClaimed }];
    });
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(Object.keys(all).map((name) => [name, trust])));
  },
);

test('a page that a rule has narrowed shows nothing that the rule takes away', async () => {
  const page = await example('consent-narrowed');
  page.getByText('Students of this school can let apps view data, but not change it.');
  const boxes = page.getAllByRole('checkbox');
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.filter((box) => box.attribute('class') === 'writes')).toEqual([]);
});

test.each([
  'consent-denied',
  'consent-approve-first',
  'consent-blocked',
  'consent-blocked-own',
  'consent-blocked-platform',
  'error-redirect',
  'error-client',
  'error-blocked',
  'forbidden-member',
  'device-refused',
  'applications-declined',
  'application-refused-answer',
])('%s is not in the colour of success', async (name) => {
  const classes = (await example(name))
    .getByRole('main')
    .getAll(() => true)
    .map((part) => part.attribute('class') ?? '');
  expect(classes.filter((each) => /^(?!badge).*\b(?:allowed|good)\b/.test(each))).toEqual([]);
});

test('a request that was declined is marked as that', async () => {
  const marks = (await example('requests')).getAllByText(/^(?:Declined|Ready|Needs approval)$/);
  expect(Object.fromEntries(marks.map((mark) => [mark.text, mark.attribute('class')]))).toEqual({
    Declined: 'status blocked',
    Ready: 'status allowed',
    'Needs approval': 'status needs-approval',
  });
});

test('what an app always sees says, without being opened, what it is about and how much it is', async () => {
  const page = await open('sam', authorizeUrl(schools.harbour, memberApp, pkce()));
  const sees = page.getByRole('group', { name: /^It also sees who you are Name, email, roles, and \d more$/ });
  const rows = sees.getAllByRole('listitem');
  expect(sees.name).toContain(`and ${rows.length - 3} more`);
});

describe('an app that is blocked', () => {
  const asking = (id: string): URL =>
    authorizeUrl(schools.harbour, { id, redirectUri: 'https://agents.example/callback', scope: 'openid' }, pkce());

  test('by the school: a member reads whose decision it is, an administrator that it is theirs', async () => {
    await schools.campus.apps.set(harbourSite(schools.harbour), { clientId: memberApp.id }, { access: 'blocked' });
    try {
      const request = authorizeUrl(schools.harbour, memberApp, pkce());
      const sam = await open('sam', request);
      expect(sam.getByRole('heading', { level: 1 }).text).toBe('Harbour School has blocked Pocket School.');
      sam.getByText('Only its staff can change this. Nothing was connected.');
      expect(sam.queryByRole('link', { name: 'Change this in Apps' })).toBeUndefined();
      const olivia = await open('olivia', request);
      olivia.getByText('You can change this. Nothing was connected.');
      const app = await open('olivia', olivia.getByRole('link', { name: 'Change this in Apps' }).href);
      expect(app.getByRole('heading', { level: 1 }).text).toBe('Pocket School');
    } finally {
      await schools.campus.apps.reset(harbourSite(schools.harbour), { clientId: memberApp.id });
    }
  });

  test('before anything is known of it but its address: the same page', async () => {
    await schools.campus.apps.set(harbourSite(schools.harbour), { clientId: document }, { access: 'blocked' });
    const sam = await open('sam', asking(document));
    expect(sam.getByRole('heading', { level: 1 }).text).toBe('Harbour School has blocked agents.example.');
    sam.getByText('Only its staff can change this. Nothing was connected.');
    expect(tileOf(sam)).toContain('blocked');
    const olivia = await open('olivia', asking(document));
    olivia.getByText('You can change this. Nothing was connected.');
    const app = await open('olivia', olivia.getByRole('link', { name: 'Change this in Apps' }).href);
    app.getByText('Blocked');
  });

  test('by the platform: the school is not said to have blocked it', async () => {
    const page = await open('olivia', authorizeUrl(schools.harbour, webMemberApp, pkce()));
    expect(page.getByRole('heading', { level: 1 }).text).toBe('Study Buddy can’t be connected.');
    page.getByText(/^The platform that Harbour School uses doesn’t let people connect it here\./);
    expect(page.queryByRole('link', { name: 'Change this in Apps' })).toBeUndefined();
  });
});
