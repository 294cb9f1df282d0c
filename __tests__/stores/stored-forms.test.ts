import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { clientCredentials, deviceAuthorization } from '../../lib/grant-types.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import { partsOf } from '../../lib/public/campus.ts';
import type { Store } from '../../lib/store.ts';
import type { AppRule } from '../../lib/core/access/rule.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { approve, enterCode, poll, startDevice, terminal } from '../features/device/devices.ts';
import { Asking, Classes, limited, withClasses } from '../features/boundaries/limited-schools.ts';
import { authorizeUrl, exchange, getCode, memberApp, pkce, refresh, type TestClient } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { serviceToken, sync } from '../helpers/services.ts';
import { siteOf } from '../helpers/sites.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';

// What is stored of each kind, as text. A difference is a new form: docs/operate/upgrade.md says when a release may write one.

const forms: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('./stored-forms.json', import.meta.url), 'utf8'),
);

const rules: Readonly<Record<string, AppRule>> = {
  allowed: { access: 'allowed' },
  view_only: { access: 'view_only' },
  ask: { access: 'allowed', ask: true },
  'ask view_only': { access: 'view_only', ask: true },
  blocked: { access: 'blocked' },
};
/** Apps with a rule of each kind. */
const ruled = Object.keys(rules).flatMap((name) => [`plain ${name}`, `limited ${name}`]);

const documentId = 'https://docs.example/client.json';
const document: TestClient = {
  id: documentId,
  redirectUri: 'http://localhost:49300/callback',
  scope: 'openid profile courses:read',
};

let server: DocumentServer;
let schools: Schools;
const written = new Map<string, Set<string>>();
beforeAll(async () => {
  server = await startDocumentServer();
  server.respond((_request, response) => {
    const redirectUris = ['http://localhost/callback'];
    const metadata = { client_id: documentId, client_name: 'Doc Client', redirect_uris: redirectUris };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  const classes = withClasses(new Classes());
  schools = await startSchools({
    campus: {
      ...classes,
      store: watched(memoryStore()),
      clients: [...(classes.clients ?? []), terminal, sync],
      grants: [clientCredentials(), deviceAuthorization()],
      registration: [{ ...loopbackClients(), apps: ruled }],
      metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }),
      pseudonyms: { key: 'a key of pseudonyms that never changes' },
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server.port,
      },
    },
  });
  await useClients();
  await useOthers();
  await decide();
  await schools.campus.health({ write: true });
});
afterAll(() => Promise.all([schools.close(), server.close()]));

function watched(store: Store): Store {
  const keep = (kind: string, record: string): void => {
    written.set(kind, (written.get(kind) ?? new Set()).add(formOf(kind, record)));
  };
  return {
    ...store,
    save: (siteId, entry) => {
      keep(entry.kind, entry.record);
      return store.save(siteId, entry);
    },
    redeem: (siteId, redemption) => {
      for (const { kind, record } of redemption.tokens) keep(kind, record);
      return store.redeem(siteId, redemption);
    },
  };
}

/** The text, without what differs each time. */
function formOf(kind: string, record: string): string {
  const form = record
    .replaceAll(/http:\/\/(?:localhost|127\.0\.0\.1):(?!49152|49300)\d+/g, 'ORIGIN')
    .replaceAll(/\b\d{10}\b/g, 'SECONDS')
    .replaceAll(/"[\w.~-]{16,}"(?!:)/g, (text) => (/[A-Z\d]/.test(text) ? '"RANDOM"' : text))
    .replaceAll(/"[\w-]{8} SECONDS"/g, '"RANDOM SECONDS"')
    .replaceAll(/("added":\{|"shown":|"secret":)"[\w-]+"/g, '$1"RANDOM"');
  if (kind === 'News') return form.replaceAll(/"[\w-]{16,}":\{/g, '"RANDOM":{');
  return kind === 'KeyFingerprints' ? form.replaceAll(/"[\w-]{11}"/g, '"PRINT"') : form;
}

/** Members connect clients in code, an application and two that registered themselves, and limit one. */
async function useClients(): Promise<void> {
  const { campus, harbour } = schools;
  const site = siteOf(schools);
  const { application, clientSecret = '' } = await campus.applications.create(site, {
    clientName: 'Notes',
    redirectUris: ['https://notes.example/callback'],
    scopes: ['openid', 'account:read'],
    confidential: true,
    createdBy: 'olivia',
  });
  await campus.applications.rotateSecret(site, application.clientId, { overlap: 3600 });
  await campus.applications.update(site, application.clientId, { scopes: ['openid'] });
  const register = async (name: string): Promise<TestClient> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ client_name: name, redirect_uris: [memberApp.redirectUri] });
    const response = await fetch(`${harbour}/api/oauth/register`, { method: 'POST', headers, body });
    const id = String(Reflect.get(await response.json(), 'client_id'));
    return { id, redirectUri: memberApp.redirectUri, scope: 'openid profile' };
  };
  const redirectUri = 'https://notes.example/callback';
  const clients: TestClient[] = [
    memberApp,
    { id: application.clientId, redirectUri, secret: clientSecret, scope: 'openid' },
    await register('CLI'),
    await register('Claude Code'),
  ];
  for (const client of clients) {
    const tokens = await exchange(await getCode(schools.browser('olivia'), harbour, client));
    await refresh(harbour, client, tokens.body['refresh_token']);
  }
  const asking = await new Asking(schools.browser('olivia'), harbour).open();
  await asking.allow({ scope: ['courses:read'], 'limit.class': 'some', 'only.class': ['c1', 'c2'] });
  const { body: tokens } = await asking.tokens();
  await refresh(harbour, limited, tokens['refresh_token']);
  const connections = await campus.connections.list(site, 'olivia');
  const { id = '' } = connections.find(({ clientId }) => clientId === limited.id) ?? {};
  await campus.connections.widen(site, 'olivia', id, ['orders:read']);
  await campus.connections.narrow(site, 'olivia', id, ['courses:read']);
  const ofDocument = await new Asking(schools.browser('olivia'), harbour, document).open();
  await (await ofDocument.allow({ 'limit.class': 'all' })).tokens();
  // A page that is left open, for a person who has to sign in first.
  await schools.browser().follow(authorizeUrl(harbour, memberApp, pkce(), { login_hint: 'sam' }));
}

/** A service, devices, a form that shows a secret, and requests. */
async function useOthers(): Promise<void> {
  const { campus, harbour } = schools;
  const site = siteOf(schools);
  await serviceToken(harbour);
  const [waiting, allowed] = [await startDevice(harbour), await startDevice(harbour)];
  await enterCode(schools.browser('sam'), harbour, waiting.userCode);
  await approve(schools.browser('sam'), allowed);
  await poll(allowed);
  const browser = schools.browser('olivia');
  const page = await browser.follow(`${harbour}/developers/oauth-applications/new`);
  const form = new URLSearchParams([...readPage(page.html).getByRole('form').fields]);
  form.set('name', 'Timer');
  form.set('redirect_uris', 'https://timer.example/callback');
  await browser.follow(page.url, { method: 'POST', body: form });
  const asked = { clientName: 'Chat', redirectUris: ['https://chat.example/callback'], note: 'For homework' };
  const first = await campus.requests.ask(site, 'sam', { ...asked, app: 'other' });
  await campus.requests.decline(site, first.id, 'No.', { by: 'olivia' });
  const second = await campus.requests.ask(site, 'sam', { ...asked, app: 'cursor' });
  const [application] = await campus.applications.list(site);
  await campus.requests.grant(site, second.id, application?.clientId ?? '', { by: 'olivia' });
}

/** Rules of each kind, for everyone and for one person, and a version that is approved. */
async function decide(): Promise<void> {
  const { apps } = schools.campus;
  const site = siteOf(schools);
  const note = { by: 'olivia', note: 'For the summer' };
  for (const [name, rule] of Object.entries(rules)) {
    await apps.set(site, `plain ${name}`, rule);
    await apps.set(site, `limited ${name}`, { ...rule, limited: ['class'] }, note);
  }
  const more = { roles: ['teacher'], scopes: ['openid', 'courses:read'], pseudonym: true };
  await apps.set(site, { clientId: memberApp.id }, { access: 'allowed', ...more }, note);
  await apps.allowPerson(site, 'plain ask', 'sam', note);
  const decider = partsOf(schools.campus)?.school.apps.decide;
  const approveSeen = async (rule: AppRule, scopes?: readonly string[], by?: string): Promise<void> => {
    const { version } = await apps.find(site, { clientId: documentId });
    await decider?.(site, { clientId: documentId }, rule, { version, scopes, by });
  };
  await approveSeen({ access: 'allowed' }, ['openid', 'courses:read'], 'olivia');
  await approveSeen({ access: 'allowed', ask: true, roles: ['teacher'] });
  await apps.set(site, { clientId: documentId }, { access: 'blocked' }, note);
}

test('every kind is among them', () => {
  expect(Object.keys(forms)).toEqual(Object.keys(recordKinds));
});

test.each(Object.keys(recordKinds))('a %s is stored in the forms that are recorded', (kind) => {
  expect([...(written.get(kind) ?? [])].toSorted()).toEqual(forms[kind]);
});
