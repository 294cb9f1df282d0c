import type { Page } from 'playwright-core';
import {
  authorizeUrl,
  type Changes,
  connect,
  memberApp,
  pkce,
  reports,
  type TestClient,
  webMemberApp,
} from '../../helpers/flow.ts';
import { startDevice } from '../../features/device/devices.ts';
import type { Application } from '../../../lib/index.ts';
import { standardScopes } from '../../helpers/scopes.ts';
import { type Gallery, hostile, refused } from './gallery.ts';

/** One state of one page. */
export interface State {
  readonly name: string;
  /** The member who is signed in. */
  readonly person?: string | undefined;
  /** Navigates to it. */
  readonly go: (page: Page, gallery: Gallery) => Promise<unknown>;
}

export const applicationsPath = '/developers/oauth-applications';
export const yourAppsPath = '/account/apps';
export const schoolPath = '/developers/apps';

function asks(client: TestClient | ((gallery: Gallery) => TestClient), changes: Changes = {}): State['go'] {
  return (page, gallery) => {
    const wanted = typeof client === 'function' ? client(gallery) : client;
    return page.goto(authorizeUrl(gallery.schools.harbour, wanted, pkce(), changes).href);
  };
}

function at(
  path: string | ((gallery: Gallery) => string | Promise<string>),
  school: 'harbour' | 'summit' = 'harbour',
): State['go'] {
  return async (page, gallery) =>
    page.goto(gallery.schools[school] + (typeof path === 'string' ? path : await path(gallery)));
}

/** An app that asks for all that an operator can allow. */
export const everything = ({ registered }: Gallery): TestClient => ({
  ...registered,
  scope: standardScopes.all.filter((scope) => standardScopes.mayHave('operator', scope)).join(' '),
});

/** An app whose document nobody has approved, and that wants to change data. */
const acting = ({ document }: Gallery): TestClient => ({
  ...document,
  scope: `${document.scope} courses:write students:write storage:write`,
});

const clientOf = ({ clientId, redirectUris, scopes }: Application): TestClient => ({
  id: clientId,
  redirectUri: redirectUris[0] ?? '',
  scope: scopes.join(' '),
});

/** With everything unfolded that can be. */
function opened(path: string): State['go'] {
  return async (page, gallery) => {
    await at(path)(page, gallery);
    for (const summary of await page.locator('summary').all()) await summary.click();
  };
}

const ofApplication =
  (query = '') =>
  ({ application }: Gallery): string =>
    `${applicationsPath}/${application.clientId}${query}`;

/** The page of a connected app of Sam. */
const appKey =
  (name: string) =>
  async ({ site, schools }: Gallery): Promise<string> => {
    const all = await schools.campus.connections.list(site, 'sam');
    return `${yourAppsPath}/${all.find(({ clientName }) => clientName === name)?.id}`;
  };

const ofClient =
  (clientId: (gallery: Gallery) => string, query = '') =>
  (gallery: Gallery): string =>
    `${schoolPath}?client=${encodeURIComponent(clientId(gallery))}${query}`;

const signedInAs = (page: Page, gallery: Gallery, person: string): Promise<void> =>
  page.context().addCookies([{ name: 'person', value: person, url: gallery.schools.harbour }]);

/** Clicks a button and waits for the page that it leads to. */
async function press(page: Page, selector = 'button.primary'): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.locator(selector).first().click();
  await loaded;
}

/** A device with the hostile app has asked, and the person opens its link. */
async function opensLink(page: Page, { schools }: Gallery): Promise<void> {
  const client = { id: 'hostile', redirectUri: '', scope: 'openid account:read' };
  const { userCode } = await startDevice(schools.harbour, client, {}, `<b>${'device '.repeat(30)}`);
  await page.goto(`${schools.harbour}/oauth/device?user_code=${userCode}`);
}

async function confirmsDevice(page: Page, gallery: Gallery): Promise<void> {
  await opensLink(page, gallery);
  await press(page);
}

async function untickAll(page: Page): Promise<void> {
  const boxes = page.getByRole('checkbox', { checked: true });
  while ((await boxes.count()) > 0) await boxes.first().uncheck();
}

export const states: readonly State[] = [
  {
    name: 'consent-first',
    person: 'olivia',
    go: asks(reports, { scope: 'openid profile email courses:read courses:write orders:read' }),
  },
  { name: 'consent-again', person: 'sam', go: asks(memberApp) },
  {
    name: 'consent-for-more',
    person: 'maya',
    go: asks(memberApp, { scope: 'openid profile email account:read account:write' }),
  },
  {
    name: 'consent-ticked-by-button',
    person: 'olivia',
    go: async (page, gallery) => {
      await asks(everything)(page, gallery);
      await press(page, 'button[value=all]');
    },
  },
  {
    name: 'consent-narrowed-by-policy',
    person: 'sam',
    go: asks(webMemberApp, { prompt: 'consent', scope: 'openid account:read account:write' }),
  },
  { name: 'consent-registered', person: 'olivia', go: asks(({ registered }) => registered) },
  { name: 'consent-every-scope', person: 'olivia', go: asks(everything) },
  { name: 'consent-document', person: 'olivia', go: asks(({ document }) => document) },
  { name: 'consent-document-to-approve', person: 'olivia', go: asks(acting) },
  {
    name: 'consent-document-changed',
    person: 'olivia',
    go: async (page, gallery) => {
      // Its digest is another one than was stored, as after a change at this moment.
      await asks(acting)(page, gallery);
      await press(page, 'button[value=approve]');
    },
  },
  { name: 'consent-application', person: 'olivia', go: asks(({ application }) => clientOf(application)) },
  { name: 'consent-application-operators', person: 'olivia', go: asks(({ assistant }) => clientOf(assistant)) },
  { name: 'consent-hostile-name', person: 'sam', go: asks(hostile) },
  {
    name: 'consent-nothing-ticked',
    person: 'sam',
    go: async (page, gallery) => {
      await asks(memberApp, { scope: 'account:read account:write', nonce: undefined })(page, gallery);
      await untickAll(page);
      await press(page);
    },
  },
  { name: 'consent-refused-by-policy', person: 'sam', go: asks(refused) },
  { name: 'consent-expired', person: 'sam', go: at('/oauth/interaction/over') },
  {
    name: 'person-changed',
    person: 'sam',
    go: async (page, gallery) => {
      await asks(memberApp)(page, gallery);
      await signedInAs(page, gallery, 'olivia');
      await page.reload();
    },
  },
  {
    name: 'sign-in-again',
    person: 'sam',
    go: async (page, gallery) => {
      await page.context().addCookies([{ name: 'auth_time', value: '1700000000', url: gallery.schools.harbour }]);
      await asks(memberApp, { prompt: 'login' })(page, gallery);
      await page.goto(new URL(page.url()).searchParams.get('return_to') ?? '');
    },
  },
  { name: 'error-request', go: asks({ ...memberApp, id: 'nobody' }) },
  { name: 'error-fault', person: 'faulty', go: at(yourAppsPath) },
  { name: 'connected-none', person: 'olivia', go: at(yourAppsPath) },
  { name: 'connected', person: 'sam', go: at(yourAppsPath) },
  {
    name: 'connected-ended',
    person: 'sam',
    go: async (page, gallery) => {
      const { schools } = gallery;
      await connect(schools.browser('olivia'), schools.harbour, memberApp);
      const [app] = await schools.campus.connections.list(gallery.site, 'olivia');
      await signedInAs(page, gallery, 'olivia');
      await at(`${yourAppsPath}/${app?.id}?confirm=end`)(page, gallery);
      await press(page, 'button.danger');
    },
  },
  { name: 'connected-search', person: 'sam', go: at(`${yourAppsPath}?q=nothing+like+this`) },
  { name: 'connected-app', person: 'sam', go: at(appKey('Study Timer')) },
  {
    name: 'connected-app-print',
    person: 'sam',
    go: at(async (gallery) => `${await appKey('Study Timer')(gallery)}?view=print`),
  },
  {
    name: 'connected-app-kept-nothing',
    person: 'sam',
    go: async (page, gallery) => {
      await at(appKey('Notice Board'))(page, gallery);
      await untickAll(page);
      await press(page, 'main form:has([name=scope]) .stay > button');
    },
  },
  { name: 'connected-missing', person: 'sam', go: at(`${yourAppsPath}/gone`) },
  { name: 'connected-confirm', person: 'sam', go: at(`${yourAppsPath}?confirm=all`) },
  { name: 'connected-forbidden', person: 'nora', go: at(yourAppsPath) },
  { name: 'connected-other-school', person: 'sam', go: at(yourAppsPath, 'summit') },
  { name: 'guide', go: at('/auth.md') },
  { name: 'assistant-question', go: at('/mcp') },
  { name: 'assistant-members', go: opened('/mcp/member') },
  { name: 'assistant-operators', person: 'sam', go: opened('/mcp/operator') },
  { name: 'assistant-check', person: 'sam', go: at(`${yourAppsPath}/check`) },
  { name: 'requests', person: 'sam', go: at(`${yourAppsPath}/requests`) },
  {
    name: 'requests-problems',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(`${yourAppsPath}/requests`)(page, gallery);
      await press(page);
    },
  },
  { name: 'applications-asked', person: 'olivia', go: at(`${applicationsPath}/asked`) },
  { name: 'applications-asked-before', person: 'olivia', go: at(`${applicationsPath}/asked?status=decided`) },
  {
    name: 'application-asked',
    person: 'olivia',
    go: at(async ({ site, schools }) => {
      const [asked] = await schools.campus.requests.list(site, { status: 'open' });
      return `${applicationsPath}/new?request=${asked?.id}`;
    }),
  },
  { name: 'applications', person: 'olivia', go: at(applicationsPath) },
  {
    name: 'applications-removed',
    person: 'olivia',
    go: async (page, gallery) => {
      const { application } = await gallery.schools.campus.applications.create(gallery.site, {
        clientName: 'Last year’s app',
        redirectUris: ['https://old.example/callback'],
        scopes: ['openid', 'account:read'],
        confidential: false,
      });
      await at(`${applicationsPath}/${application.clientId}?confirm=remove`)(page, gallery);
      await press(page, 'main form button');
    },
  },
  { name: 'applications-off', person: 'olivia', go: at(applicationsPath, 'summit') },
  { name: 'applications-forbidden', person: 'sam', go: at(applicationsPath) },
  { name: 'application-missing', person: 'olivia', go: at(`${applicationsPath}/app-gone`) },
  { name: 'application-new', person: 'olivia', go: at(`${applicationsPath}/new`) },
  { name: 'application-new-operators', person: 'olivia', go: at(`${applicationsPath}/new?audience=operator`) },
  {
    name: 'application-problems',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(`${applicationsPath}/new`)(page, gallery);
      await page.locator('[name=name]').fill('x'.repeat(101));
      await page.locator('[name=redirect_uris]').fill('http://timer.example/callback\nhttps://timer.example/cb#part');
      await page.locator('[name=client_uri]').fill('timer.example');
      await untickAll(page);
      await press(page);
    },
  },
  {
    name: 'application-secret',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication('?confirm=rotate'))(page, gallery);
      await press(page, 'main form button');
    },
  },
  {
    name: 'application-created',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(`${applicationsPath}/new?audience=operator&app=claude`)(page, gallery);
      await press(page);
    },
  },
  {
    name: 'application-narrowed',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication())(page, gallery);
      await page.locator('[value="account:write"]').uncheck();
      await press(page);
    },
  },
  { name: 'application-refused', person: 'olivia', go: at(`${applicationsPath}/refused`) },
  {
    name: 'application-refused-answer',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(`${applicationsPath}/refused`)(page, gallery);
      await page.locator('[name=name]').fill('School Chat');
      await page.locator('[name=redirect_uris]').fill('https://chat.example/callback');
      await press(page);
    },
  },
  {
    name: 'application-preview',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication('?view=consent'))(page, gallery);
      // It sends nothing, so that the page stays.
      await page.locator('button.primary').click();
    },
  },
  { name: 'gallery', go: at('/gallery') },
  { name: 'device', person: 'sam', go: at('/oauth/device') },
  {
    name: 'device-unknown-code',
    person: 'sam',
    go: async (page, gallery) => {
      await at('/oauth/device')(page, gallery);
      await page.getByLabel(/^(?:Code|代碼)$/).fill('bbbb bbbb');
      await press(page);
    },
  },
  { name: 'device-confirm', person: 'sam', go: confirmsDevice },
  {
    name: 'device-consent',
    person: 'sam',
    go: async (page, gallery) => {
      await confirmsDevice(page, gallery);
      await press(page, 'button[name=confirm]');
    },
  },
  {
    name: 'device-connected',
    person: 'sam',
    go: async (page, gallery) => {
      await confirmsDevice(page, gallery);
      await press(page, 'button[name=confirm]');
      await press(page, 'button[value=allow]');
    },
  },
  {
    name: 'device-refused',
    person: 'sam',
    go: async (page, gallery) => {
      await confirmsDevice(page, gallery);
      await press(page, 'button[name=abort]');
    },
  },
  { name: 'school', person: 'olivia', go: at(schoolPath) },
  {
    name: 'school-later',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(schoolPath)(page, gallery);
      return page.locator('.pages a[rel=next]').click();
    },
  },
  { name: 'school-all', person: 'olivia', go: at(`${schoolPath}?show=all`) },
  {
    name: 'school-narrowed',
    person: 'olivia',
    go: at(`${schoolPath}?used=unused&role=owner&kind=registered&sort=name`),
  },
  { name: 'school-allow', person: 'olivia', go: at(`${schoolPath}?view=allow`) },
  {
    name: 'school-allow-problem',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(`${schoolPath}?view=allow`)(page, gallery);
      await page.locator('[name=name]').fill('Chess Club');
      await press(page, 'main button.primary');
    },
  },
  { name: 'school-unused', person: 'olivia', go: at(`${schoolPath}?confirm=unused`) },
  { name: 'applications-narrowed', person: 'olivia', go: at(`${applicationsPath}?q=%3Cb%3E&secret=public`) },
  { name: 'activity', person: 'olivia', go: at(`${schoolPath}/activity?all=yes&page=2`) },
  { name: 'activity-of-person', person: 'olivia', go: at(`${schoolPath}/activity?person=sam&client=hostile`) },
  { name: 'activity-sums', person: 'olivia', go: at(`${schoolPath}/activity?when=month`) },
  { name: 'people', person: 'olivia', go: at(`${schoolPath}/people`) },
  { name: 'person', person: 'olivia', go: at(`${schoolPath}/people?person=sam`) },
  { name: 'person-print', person: 'olivia', go: at(`${schoolPath}/people?person=sam&view=print`) },
  { name: 'school-none', person: 'olivia', go: at(schoolPath, 'summit') },
  { name: 'school-forbidden', person: 'sam', go: at(schoolPath) },
  { name: 'school-client', person: 'olivia', go: at(ofClient(({ application }) => application.clientId)) },
  { name: 'school-blocked', person: 'olivia', go: at(ofClient(({ blocked }) => blocked)) },
  { name: 'school-rules', person: 'olivia', go: at(`${schoolPath}?kind=application`) },
  { name: 'school-rule', person: 'olivia', go: at(`${schoolPath}?app=claude`) },
  {
    name: 'school-rule-confirm',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofClient(({ application }) => application.clientId))(page, gallery);
      await page.locator('input[value=blocked]').check();
      await press(page, '.rail form.flow > button');
    },
  },
  { name: 'school-reviews', person: 'olivia', go: at(`${schoolPath}?review=waiting`) },
  { name: 'school-review', person: 'olivia', go: at(ofClient(({ changed }) => changed)) },
  {
    name: 'application-sent-twice',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication('?confirm=rotate'))(page, gallery);
      await press(page, 'main form button');
      await page.reload();
    },
  },
  {
    name: 'form-expired',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication('?confirm=rotate'))(page, gallery);
      const owner = gallery.schools.people['harbour']?.['olivia'];
      if (owner)
        gallery.schools.people['harbour'] = {
          ...gallery.schools.people['harbour'],
          second: { ...owner, id: 'second' },
        };
      await signedInAs(page, gallery, 'second');
      await press(page, 'main form button');
    },
  },
  { name: 'application-edit', person: 'olivia', go: at(ofApplication()) },
  {
    name: 'application-edit-operators',
    person: 'olivia',
    go: at(({ assistant }) => `${applicationsPath}/${assistant.clientId}`),
  },
  {
    name: 'application-conflict',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication())(page, gallery);
      await page.locator('[name=name]').fill('Another name');
      await page.locator('[name=client_uri]').fill('');
      await page.locator('[name=version]').evaluate((field) => field.setAttribute('value', 'an older one'));
      await press(page);
    },
  },
  {
    name: 'application-saved',
    person: 'olivia',
    go: async (page, gallery) => {
      await at(ofApplication())(page, gallery);
      await press(page);
    },
  },
  { name: 'application-rotate', person: 'olivia', go: at(ofApplication('?confirm=rotate')) },
  { name: 'application-remove', person: 'olivia', go: at(ofApplication('?confirm=remove')) },
];
