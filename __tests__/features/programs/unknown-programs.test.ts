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
const ofHost: RegistrationPolicy = { name: 'ofHost', decide: () => undefined, programs: ['study-board'] };
const registration = [
  vendorPlatforms([
    {
      clientName: 'Library',
      names: ['Library'],
      callbackPrefix: 'https://library.example/callback/',
      program: own('library'),
    },
  ]),
  ofHost,
  loopbackClients(),
];
const document = {
  name: 'Notes',
  url,
  program: own('notes'),
  source: { url: 'https://notes.example/', kind: 'read' } as const,
};
const store = memoryStore();

let schools: Schools;
let campus: Campus;
let site: Site;
beforeAll(async () => {
  const clients = [...testClients, { ...testClients[1], clientId: 'grades', program: own('grade-book') }];
  const documents = metadataDocuments({ documents: [document] });
  schools = await startSchools({ campus: { store, clients, registration, metadataDocuments: documents } });
  ({ campus } = schools);
  site = siteOf(schools);
});
afterAll(() => schools.close());

const blocked = { access: 'blocked' } as const;

test.each([
  ['set', () => campus.programs.set(site, { program: 'clade' }, blocked)],
  ['allowPerson', () => campus.programs.allowPerson(site, { program: 'clade' }, 'sam')],
  ['find', () => campus.programs.find(site, { program: 'clade' })],
  ['listPeople', () => campus.programs.listPeople(site, { program: 'clade' })],
])('%s with an id that no program has says which one was meant', async (_name, call) => {
  const message = 'no program has the id "clade" here; did you mean "claude"?';
  await expect(call()).rejects.toMatchObject({ name: 'InvalidRequest', status: 400, message });
});

test('one that is near to none says what to name instead', async () => {
  const message = 'no program has the id "skynet" here; name any other client by { clientId }';
  await expect(campus.programs.set(site, { program: 'skynet' }, blocked)).rejects.toMatchObject({ message });
});

test('an unknown client is named by its id', async () => {
  expect(await campus.programs.set(site, { clientId: 'clade' }, blocked)).toEqual({ connections: 0 });
  await campus.programs.reset(site, { clientId: 'clade' });
});

test.each(['claude', 'grade-book', 'library', 'notes', 'study-board'])(
  '%s is known before anybody has connected it',
  async (program) => {
    expect(await campus.programs.set(site, { program }, blocked)).toEqual({ connections: 0 });
    expect(await campus.programs.find(site, { program })).toMatchObject({ program, status: 'blocked' });
    expect(await campus.explain(site, { program })).toMatchObject({ outcome: 'blocked' });
    await campus.programs.reset(site, { program });
    expect(await campus.explain(site, { program })).not.toMatchObject({ outcome: 'impossible' });
  },
);

test('a rule outlives the name of its program: it is shown, found by diagnose, and can be removed', async () => {
  await campus.programs.set(site, { program: 'study-board' }, blocked);
  await campus.programs.allowPerson(site, { program: 'library' }, 'sam');
  const later = await startSchools({ campus: { store, registration: [loopbackClients()] } });
  const { programs } = later.campus;
  const at = siteOf(later);
  expect(await programs.find(at, { program: 'study-board' })).toMatchObject({ own: blocked });
  expect(await programs.listPeople(at, { program: 'library' })).toMatchObject([{ memberId: 'sam' }]);
  await expect(programs.set(at, { program: 'study-board' }, { access: 'allowed' })).rejects.toThrow('no program has');
  const findings = await later.campus.diagnose({ origins: [later.harbour] });
  expect(findings.map(({ id }) => id)).toContain('program-unknown');
  expect(await programs.reset(at, { program: 'study-board' })).toEqual({ connections: 0 });
  expect(await programs.resetPerson(at, { program: 'library' }, 'sam')).toEqual({ connections: 0 });
  expect(await programs.reset(at, { program: 'never-there' })).toEqual({ connections: 0 });
  await expect(programs.find(at, { program: 'study-board' })).rejects.toThrow('no program has');
  await later.close();
});

test('explain says which program was meant', async () => {
  const [reason] = (await campus.explain(site, { program: 'clade' })).reasons;
  expect(reason).toMatchObject({ code: 'unknown_client', change: expect.stringMatching(/; did you mean "claude"\?$/) });
});
