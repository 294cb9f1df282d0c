import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import type { Browser, Stop } from '../helpers/browser.ts';
import { authorizeUrl, type Changes, connect, memberApp, pkce, refresh, webMemberApp } from '../helpers/flow.ts';
import { type Page, readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

// What somebody who supports people finds: in the log, and on Activity, by person, app and reference.

const path = '/developers/apps/activity';

let schools: Schools;
let log: AuditEvent[];
/** Whom the platform was asked for. */
let asked: string[];
beforeEach(async () => {
  log = [];
  asked = [];
  schools = await startSchools({
    campus: { log: { list: ({ id }) => ({ events: log.filter(({ siteId }) => siteId === id) }) } },
    wrapPlatform: (platform) => ({
      ...platform,
      findMember: (site, id) => {
        asked.push(id);
        return platform.findMember(site, id);
      },
    }),
  });
  schools.campus.events.on('audit', (event) => log.unshift(event));
});
afterEach(() => schools.close());

const site = () => siteOf(schools, 'harbour');

const open = (browser: Browser, changes: Changes = {}): Promise<Stop> =>
  browser.follow(authorizeUrl(schools.harbour, webMemberApp, pkce(), changes));

/** The entries of a person, an app or a reference, by their names or ids in the address. */
async function search(fields: Readonly<Record<string, string>>): Promise<Page> {
  const admin = schools.browser('olivia');
  const sent = new URLSearchParams();
  for (const [label, value] of Object.entries(fields)) sent.set(label.toLowerCase(), value);
  return readPage((await admin.follow(`${schools.harbour}${path}?${sent.toString()}`)).html);
}

const said = (page: Page): string[] =>
  page
    .getAllByRole('listitem')
    .flatMap(({ children: [, sentence, time] }) => (time?.role === 'time' && sentence ? [sentence.text] : []));

function referenceOn(html: string): string {
  return /[\da-f]{8}-[\da-f-]{27}/.exec(html)?.[0] ?? '';
}

describe('“authentication failed”', () => {
  test('the reference of the page leads to the address that was wrong', async () => {
    const { html } = await open(schools.browser('sam'), { redirect_uri: 'https://buddy.example/old?key=hush' });
    const reference = referenceOn(html);
    expect(log.filter(({ requestId }) => requestId === reference)).toMatchObject([
      { reason: 'redirect_uri_mismatch', memberId: 'sam', claimed: { redirectUris: ['https://buddy.example/old'] } },
    ]);
    await open(schools.browser('sam'), { redirect_uri: 'https://buddy.example/older' });
    const page = await search({ Reference: reference });
    const sentence =
      'Study Buddy asked to sign in and was refused, because it wanted to be sent back to another address than its own';
    expect(said(page)).toEqual([`${sentence} https://buddy.example/old`]);
    expect(page.text).toContain(`Only entries with the reference ${reference}`);
    const typed = await schools.browser('olivia').follow(`${schools.harbour}${path}?q=${reference}`);
    expect(typed.url.searchParams.get('reference')).toBe(reference);
  });

  test('an app that nobody knows is named as it named itself', async () => {
    await schools.browser('sam').follow(authorizeUrl(schools.harbour, { ...webMemberApp, id: 'nobody' }, pkce()));
    expect(said(await search({ App: 'nobody' }))[0]).toMatch(
      /^nobody asked to sign in and was refused, because no app with this ID/,
    );
  });
});

describe('“it worked yesterday”', () => {
  test('the person and the app lead to who blocked it, and to what was refused since', async () => {
    const { body } = await connect(schools.browser('sam'), schools.harbour, webMemberApp);
    await connect(schools.browser('olivia'), schools.harbour, memberApp);
    await schools.campus.apps.set(site(), { clientId: webMemberApp.id }, { access: 'blocked' });
    await refresh(schools.harbour, webMemberApp, body['refresh_token']);
    await open(schools.browser('sam'));
    expect(log.find(({ action }) => action === 'authorization.refused')).toMatchObject({
      reason: 'client_blocked',
      memberId: 'sam',
      clientId: webMemberApp.id,
    });
    const ofSam = said(await search({ Person: 'sam stud' }));
    expect(ofSam[0]).toContain('Sam Student could not connect Study Buddy: Blocked');
    expect(ofSam.join('\n')).toMatch(/administrator disconnected one person from Study Buddy/i);
    expect(ofSam.join('\n')).not.toContain('Olivia');
    expect(said(await search({ Person: 'sam' }))).toEqual(ofSam);
    const ofApp = said(await search({ App: 'study' }));
    expect(ofApp).toContain(ofSam[0]);
    expect(ofApp.join('\n')).toMatch(/administrator.* decided on Study Buddy: Blocked/i);
    expect(said(await search({ App: webMemberApp.id }))).toEqual(ofApp);
    expect(said(await search({ Person: 'sam', App: 'study' }))).toEqual(ofSam);
    const explained = await schools.campus.explain(site(), { clientId: webMemberApp.id, memberId: 'sam' });
    expect(explained).toMatchObject({
      outcome: 'blocked',
      reasons: [{ code: 'client_blocked', from: 'school', since: expect.any(Number) }],
    });
  });
});

describe('“approval required”', () => {
  test('the person leads to the app that waits', async () => {
    await schools.campus.apps.set(site(), { clientId: webMemberApp.id }, { access: 'view_only' });
    await open(schools.browser('sam'), { scope: 'account:write' });
    expect(log[0]).toMatchObject({ action: 'authorization.refused', reason: 'needs_approval', memberId: 'sam' });
    const [first] = said(await search({ Person: 'Sam Student' }));
    expect(first).toContain(
      'Sam Student could not connect Study Buddy, because the school has not approved what it asks for',
    );
    expect(said(await search({ App: 'study' })).join('\n')).toContain('decided on Study Buddy: View only');
    const scopes = ['account:write'];
    expect(await schools.campus.explain(site(), { clientId: webMemberApp.id, memberId: 'sam', scopes })).toMatchObject({
      outcome: 'needs_approval',
      reasons: [{ code: 'needs_approval', change: 'an administrator of the school approves it' }],
    });
  });
});

describe('the filter', () => {
  test('stays in the links of the page', async () => {
    for (let i = 0; i < 30; i += 1)
      log.push({
        version: 1,
        time: '2026-11-22T08:00:00.000Z',
        eventId: `${i}`,
        siteId: 'harbour',
        action: 'authorization.refused',
        outcome: 'refused',
        reason: 'client_blocked',
        actor: { kind: 'member', id: 'sam' },
        memberId: 'sam',
        clientId: webMemberApp.id,
        requestId: 'req-7',
      });
    const page = await search({ Person: 'sam stu', App: 'study', Reference: 'req-7' });
    const filter = { person: 'sam stu', app: 'study', reference: 'req-7' };
    for (const name of ['Next page', 'Show them']) {
      const { searchParams } = new URL(page.getByRole('link', { name }).href, schools.harbour);
      expect(Object.fromEntries(searchParams)).toMatchObject(filter);
    }
    expect(page.getByRole('search').fields.get('person')).toBe('sam stu');
    expect(page.getByRole('link', { name: 'Show all entries' }).href).toBe(`${path}?kind=all`);
  });

  test('looks for a name among at most 100 people, and for an id in none', async () => {
    log = Array.from({ length: 300 }, (_, i) => ({
      version: 1,
      time: '2026-11-22T08:00:00.000Z',
      eventId: `${i}`,
      siteId: 'harbour',
      action: 'consent.denied',
      outcome: 'refused',
      actor: { kind: 'member', id: `person-${i}` },
      memberId: `person-${i}`,
      clientId: webMemberApp.id,
    }));
    await search({ Person: 'zzz' });
    expect(asked.filter((id) => id.startsWith('person-')).length).toBe(100);
    asked.splice(0);
    await search({ Person: 'person-250' });
    expect(new Set(asked.filter((id) => id.startsWith('person-')))).toContain('person-250');
    expect(asked.filter((id) => id.startsWith('person-')).length).toBe(1);
  });

  test.each([{ Person: 'zzz' }, { App: 'zzz' }, { Reference: 'zzz' }, { Person: '<script>alert(1)</script>' }])(
    'that finds nothing says so: %j',
    async (fields) => {
      await open(schools.browser('nora'));
      const page = await search(fields);
      expect(page.text).toContain('Nothing in the latest 500 entries.');
      expect(said(page)).toEqual([]);
    },
  );
});
