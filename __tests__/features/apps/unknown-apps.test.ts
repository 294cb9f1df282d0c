import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import type { Campus, RegistrationPolicy, Site } from '../../../lib/index.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms } from '../../../policies/index.ts';
import { testClients } from '../../helpers/clients.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { siteOf } from '../../helpers/sites.ts';

const own = (id: string) => ({ id, name: id });
const url = 'https://notes.example/client.json';
/** A policy that this package does not have. */
const ofHost: RegistrationPolicy = { name: 'ofHost', decide: () => undefined, apps: ['study-board'] };
const registration = [
  vendorPlatforms([
    {
      clientName: 'Library',
      names: ['Library'],
      callbackPrefix: 'https://library.example/callback/',
      app: own('library'),
    },
  ]),
  ofHost,
  loopbackClients(),
];
const document = {
  name: 'Notes',
  url,
  app: own('notes'),
  source: { url: 'https://notes.example/', kind: 'read' } as const,
};
const store = memoryStore();

let schools: Schools;
let campus: Campus;
let site: Site;
beforeAll(async () => {
  const clients = [...testClients, { ...testClients[1], clientId: 'grades', app: own('grade-book') }];
  const documents = metadataDocuments({ documents: [document] });
  schools = await startSchools({ campus: { store, clients, registration, metadataDocuments: documents } });
  ({ campus } = schools);
  site = siteOf(schools);
});
afterAll(() => schools.close());

const blocked = { access: 'blocked' } as const;

test.each([
  ['set', () => campus.apps.set(site, 'clade', blocked)],
  ['allowPerson', () => campus.apps.allowPerson(site, 'clade', 'sam')],
  ['find', () => campus.apps.find(site, 'clade')],
  ['allowedPeople', () => campus.apps.allowedPeople(site, 'clade')],
])('%s with an id that no app has says which one was meant', async (_name, call) => {
  const message = 'no app has the id "clade" here; did you mean "claude"?';
  await expect(call()).rejects.toMatchObject({ name: 'InvalidRequest', status: 400, message });
});

test('one that is near to none says what to name instead', async () => {
  const message = 'no app has the id "skynet" here; name any other client by { clientId }';
  await expect(campus.apps.set(site, 'skynet', blocked)).rejects.toMatchObject({ message });
});

test('an unknown client is named by its id', async () => {
  expect(await campus.apps.set(site, { clientId: 'clade' }, blocked)).toEqual({ ended: 0, atRefresh: 0 });
  await campus.apps.reset(site, { clientId: 'clade' });
});

test.each(['claude', 'grade-book', 'library', 'notes', 'study-board'])(
  '%s is known before anybody has connected it',
  async (app) => {
    expect(await campus.apps.set(site, app, blocked)).toEqual({ ended: 0, atRefresh: 0 });
    expect(await campus.apps.find(site, app)).toMatchObject({ app, status: 'blocked' });
    expect(await campus.explain(site, { app })).toMatchObject({ outcome: 'blocked' });
    await campus.apps.reset(site, app);
    expect(await campus.explain(site, { app })).not.toMatchObject({ outcome: 'impossible' });
  },
);

test('a rule outlives the name of its app: it is shown, found by diagnose, and can be removed', async () => {
  await campus.apps.set(site, 'study-board', blocked);
  await campus.apps.allowPerson(site, 'library', 'sam');
  const later = await startSchools({ campus: { store, registration: [loopbackClients()] } });
  const { apps } = later.campus;
  const at = siteOf(later);
  expect(await apps.find(at, 'study-board')).toMatchObject({ own: blocked });
  expect(await apps.allowedPeople(at, 'library')).toMatchObject([{ memberId: 'sam' }]);
  await expect(apps.set(at, 'study-board', { access: 'allowed' })).rejects.toThrow('no app has');
  const findings = await later.campus.diagnose({ origins: [later.harbour] });
  expect(findings.map(({ id }) => id)).toContain('app-unknown');
  expect(await apps.reset(at, 'study-board')).toEqual({ ended: 0, atRefresh: 0 });
  expect(await apps.resetPerson(at, 'library', 'sam')).toEqual({ ended: 0, atRefresh: 0 });
  expect(await apps.reset(at, 'never-there')).toEqual({ ended: 0, atRefresh: 0 });
  await expect(apps.find(at, 'study-board')).rejects.toThrow('no app has');
  await later.close();
});

test('explain says which app was meant', async () => {
  const [reason] = (await campus.explain(site, { app: 'clade' })).reasons;
  expect(reason).toMatchObject({ code: 'unknown_client', change: expect.stringMatching(/; did you mean "claude"\?$/) });
});
