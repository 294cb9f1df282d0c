import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AuditEvent } from '../../lib/index.ts';
import type { AppStatus } from '../../lib/core/clients/client-status.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import type { AppTarget } from '../../lib/core/access/app-rule.ts';
import { authorizeUrl, memberApp, pkce, type TestClient } from '../helpers/flow.ts';
import { type Page, readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

// One app has one status, and one word for it wherever somebody reads it.

const words: Readonly<Record<'en' | 'zh-Hant', Readonly<Record<AppStatus, string>>>> = {
  en: { allowed: 'Allowed', view_only: 'View only', needs_approval: 'Needs approval', blocked: 'Blocked' },
  'zh-Hant': { allowed: '已允許', view_only: '僅供檢視', needs_approval: '需要核准', blocked: '已封鎖' },
};
type Language = keyof typeof words;

const decisions: readonly (readonly [AppRule, AppStatus])[] = [
  [{ access: 'allowed' }, 'allowed'],
  [{ access: 'view_only' }, 'view_only'],
  [{ access: 'allowed', ask: true }, 'needs_approval'],
  [{ access: 'view_only', ask: true }, 'needs_approval'],
  [{ access: 'blocked', ask: true }, 'blocked'],
];

const apps = '/developers/apps';
const developers = '/developers/oauth-applications';

let schools: Schools;
const log: AuditEvent[] = [];
let own: TestClient;
beforeAll(async () => {
  schools = await startSchools({ campus: { log: { list: () => ({ events: log }) } } });
  schools.campus.events.on('audit', (event) => log.unshift(event));
  const scopes = ['openid', 'account:read', 'account:write'] as const;
  const { application } = await schools.campus.applications.create(harbourSite(schools.harbour), {
    clientName: 'Reading Club',
    redirectUris: ['https://reading.example/callback'],
    scopes,
    confidential: false,
  });
  own = { id: application.clientId, redirectUri: 'https://reading.example/callback', scope: scopes.join(' ') };
});
afterAll(() => schools.close());

async function htmlAt(person: string, address: string, language: Language): Promise<string> {
  const url = new URL(address, schools.harbour);
  return (await schools.browser(person).follow(url, { headers: { 'accept-language': language } })).html;
}

const pageAt = async (...from: Parameters<typeof htmlAt>): Promise<Page> => readPage(await htmlAt(...from));

/** The marks of a status on a page, as words. */
const marksOn = (page: Page): string[] =>
  page.getAll((part) => part.attribute('class')?.startsWith('status ') === true).map(({ text }) => text);

test.each(
  decisions.flatMap(([rule, status]) => (['en', 'zh-Hant'] as const).map((language) => ({ rule, status, language }))),
)(
  '$rule is one word in $language: in lists, on pages, in files, in Activity, for who is refused, and for support',
  async ({ rule, status, language }) => {
    const word = words[language][status];
    for (const [client, name] of [
      [own, 'Reading Club'],
      [memberApp, 'Pocket School'],
    ] as const) {
      const site = harbourSite(schools.harbour);
      const target: AppTarget = { clientId: client.id };
      await schools.campus.apps.set(site, target, rule, { by: 'olivia' });
      const found = `q=${encodeURIComponent(name)}`;
      const seen: Record<string, readonly string[]> = {
        list: marksOn(await pageAt('olivia', `${apps}?${found}`, language)),
        page: marksOn(await pageAt('olivia', `${apps}?client=${client.id}`, language)),
      };
      if (client === own) {
        seen['Developers'] = marksOn(await pageAt('olivia', `${developers}?${found}`, language));
        seen['its page there'] = marksOn(await pageAt('olivia', `${developers}/${client.id}`, language));
        const file = await htmlAt('olivia', `${developers}?${found}&format=csv`, language);
        expect(file).toContain(`,"${word}",`);
      }
      if (status === 'needs_approval' || status === 'blocked') {
        const refused = await schools
          .browser('sam')
          .follow(authorizeUrl(schools.harbour, client, pkce(), { ui_locales: language }));
        seen['refused'] = marksOn(readPage(refused.html));
      }
      expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((where) => [where, [word]])));
      expect(await htmlAt('olivia', `${apps}?${found}&format=csv`, language)).toContain(`,"${word}",`);
      // Only the latest event: a decision on another app has another word.
      const decided = log.find(({ action }) => action === 'app.decided');
      expect(decided?.clientId).toBe(client.id);
      const activity = await pageAt('olivia', `${apps}/activity?client=${client.id}&kind=decisions`, language);
      const told = activity.getAllByRole('listitem', { text: new RegExp(`${name}.*`) })[0]?.text;
      expect(told).toContain(word);
      const others = Object.values(words[language]).filter((other) => other !== word);
      for (const other of others) expect(told).not.toContain(other);
      const { outcome } = await schools.campus.explain(site, { ...target, memberId: 'sam' });
      expect(words[language][outcome === 'impossible' ? 'blocked' : outcome]).toBe(word);
      expect(outcome).toBe(status);
    }
  },
);
