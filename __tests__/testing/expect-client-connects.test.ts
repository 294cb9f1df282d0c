import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type Campus, type CampusOptions, createCampus } from '../../lib/index.ts';
import { type McpOptions, mcp } from '../../lib/mcp/index.ts';
import {
  type ClientConnection,
  expectClientConnects,
  fakePlatform,
  type KnownClient,
} from '../../lib/testing/index.ts';
import { knownClients } from '../../lib/simulated-clients/simulated-client.ts';
import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import { knownDocuments, loopbackClients, metadataDocuments, vendorPlatforms } from '../../policies/index.ts';
import { createCourse, schoolTools } from '../clients/school-tools.ts';
import { registrationPolicies } from '../clients/recommended-policies.ts';
import { signingKey } from '../helpers/keys.ts';
import { harbourSite } from '../helpers/sites.ts';

const origin = 'https://harbour.example';
let signing: Awaited<ReturnType<typeof signingKey>>;
const made: Campus[] = [];

beforeAll(async () => {
  signing = await signingKey('key-1');
});
afterAll(() => Promise.all(made.map((campus) => campus.close())));

/** The recommended configuration, with changes. */
function campusWith(changes: Partial<CampusOptions> = {}, tools: McpOptions = {}): Campus {
  const campus = createCampus({
    platform: fakePlatform({
      schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
      people: { harbour: { sam: { roles: ['student'] }, olivia: { roles: ['owner'] } } },
    }),
    store: memoryStore(),
    keys: { signing: [signing], cookies: ['a secret of the tests'] },
    registration: registrationPolicies,
    metadataDocuments: metadataDocuments({ documents: knownDocuments }),
    mcp: mcp({ tools: schoolTools, origins: ['http://localhost:6274'], ...tools }),
    ...changes,
  });
  made.push(campus);
  return campus;
}

const admitted = knownClients.filter((name) => name !== 'libre-chat');

describe('with the recommended configuration, over no network', () => {
  test.each(admitted)('%s connects', async (name) => {
    await expectClientConnects(campusWith(), name, { tool: { name: 'school_info' } });
  });

  test.each(admitted)('%s connects where no documents are advertised, if it can register', async (name) => {
    const campus = campusWith({ metadataDocuments: undefined });
    const connects = expectClientConnects(campus, name, { tool: createCourse });
    await expect(connects).resolves.toBeUndefined();
  });

  test('libre-chat connects with an application of the school', async () => {
    const campus = campusWith();
    const redirectUri = simulatedClients.find(({ product }) => product === 'libre-chat')?.redirectUri ?? '';
    const site = harbourSite(origin);
    const { application } = await campus.applications.create(site, {
      clientName: 'Harbour Chat',
      redirectUris: [redirectUri],
      audience: 'operator',
      scopes: ['openid', 'courses:write'],
      confidential: true,
    });
    await expectClientConnects(campus, 'libre-chat', { clientId: application.clientId, tool: createCourse });
  });

  test('a person who may connect and decide connects, though an operator who may not decide comes first', async () => {
    const platform = fakePlatform({
      schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
      people: { harbour: { tess: { roles: ['teacher'] }, olivia: { roles: ['teacher', 'owner'] } } },
      operatorRoles: ['teacher'],
      adminRoles: ['owner'],
    });
    await expectClientConnects(campusWith({ platform }), 'claude-code', { tool: createCourse });
  });

  test('the first operator connects where nobody may connect and decide', async () => {
    const platform = fakePlatform({
      schools: [{ id: 'harbour', origin, name: 'Harbour School' }],
      people: { harbour: { ana: { roles: ['owner'] }, tess: { roles: ['teacher'] } } },
      operatorRoles: ['teacher'],
      adminRoles: ['owner'],
    });
    await expectClientConnects(campusWith({ platform }), 'claude-code', { tool: { name: 'school_info' } });
  });

  test('what it did stays: the person has a connection', async () => {
    const campus = campusWith({ metadataDocuments: undefined });
    await expectClientConnects(campus, 'claude-code');
    const site = harbourSite(origin);
    const connections = await campus.connections.list(site, 'olivia');
    expect(connections.map(({ clientName }) => clientName)).toEqual(['Claude Code (harbour)']);
  });
});

interface Failing {
  readonly what: string;
  readonly name: KnownClient;
  readonly campus: () => Campus;
  readonly connection?: ClientConnection;
  readonly message: readonly (string | RegExp)[];
}

const failing: readonly Failing[] = [
  {
    what: 'no registration policy',
    name: 'claude-code',
    campus: () => campusWith({ registration: [], metadataDocuments: undefined }),
    message: [
      'claude-code (Claude Code, registered) does not connect for olivia at harbour',
      `${origin} has no registration endpoint`,
      'Its last request: authorization-server metadata, GET',
      'The response: 200 {"issuer":"https://harbour.example"',
      'What to do: admit "Claude Code (harbour)" with http://localhost:54213/callback',
      'has loopbackClients() for it',
    ],
  },
  {
    what: 'a registration policy that does not know the vendor',
    name: 'claude',
    campus: () => campusWith({ registration: [vendorPlatforms([]), loopbackClients()], metadataDocuments: undefined }),
    message: [
      'registration was refused: invalid_redirect_uri',
      'The response: 400',
      'vendorPlatforms(wellKnownVendors) for it',
    ],
  },
  {
    what: 'a policy that blocks the app',
    name: 'claude-code',
    campus: () =>
      campusWith({
        metadataDocuments: undefined,
        access: [({ app }) => (app.claimedId === 'claude-code' ? { access: 'blocked' } : undefined)],
      }),
    message: ['the browser has stopped at', 'doesn’t let people connect it here', 'campus.explain names the rule'],
  },
  {
    what: 'a document that is not permitted',
    name: 'codex',
    campus: () =>
      campusWith({
        metadataDocuments: metadataDocuments({ documents: knownDocuments.filter(({ name }) => name !== 'Codex') }),
      }),
    message: [
      'the browser has stopped at',
      'permit its metadata document https://chatgpt.com/oauth/codex/q2r_T-x01234/client.json',
    ],
  },
  {
    what: 'no tools',
    name: 'claude-code',
    campus: () => campusWith({ mcp: undefined }),
    message: ['there are no tools; pass mcp({ tools })'],
  },
  {
    what: 'a web page whose origin is not permitted',
    name: 'mcp-inspector',
    campus: () => campusWith({}, { origins: [] }),
    message: ['CORS does not allow', "mcp({ origins: ['http://localhost:6274'] })"],
  },
  {
    what: 'a student',
    name: 'zed',
    campus: () => campusWith(),
    connection: { memberId: 'sam' },
    message: ['for sam at harbour', 'access_denied', 'connect as an operator'],
  },
  {
    what: 'a policy that blocks with a text',
    name: 'zed',
    campus: () => campusWith({ access: [() => ({ access: 'blocked', text: 'Ask the head teacher.' })] }),
    message: ['the browser has stopped at', 'Ask the head teacher.'],
  },
  {
    what: 'an address that serves without a token',
    name: 'mcp-remote',
    campus: () => campusWith(),
    connection: { path: '/mcp' },
    message: ['it was served without a token', 'use /mcp/operator'],
  },
  {
    what: 'a tool that is not there',
    name: 'mcp-remote',
    campus: () => campusWith(),
    connection: { tool: { name: 'delete_course' } },
    message: ['stopped after it had connected: the tool delete_course is not listed'],
  },
  {
    what: 'an app that no policy admits',
    name: 'libre-chat',
    campus: () => campusWith(),
    message: ['registration was refused', 'create an application for operators with this redirect URI'],
  },
];

describe('rejects with the step, the response, and what to do', () => {
  test.each(failing)('$what', async ({ name, campus, connection, message }) => {
    const error: unknown = await expectClientConnects(campus(), name, connection).catch((thrown: unknown) => thrown);
    if (!(error instanceof Error)) throw new Error('it connects');
    for (const part of message) expect(error.message).toMatch(part);
    expect(error.message).not.toMatch(/"(?:code|access_token)":"[^…]/);
  });

  test('an unknown name, with those that there are', async () => {
    const name: KnownClient = JSON.parse('"netscape"');
    await expect(expectClientConnects(campusWith(), name)).rejects.toThrow(
      /^name must be one of claude, claude-code, .*libre-chat, not "netscape"$/,
    );
  });

  test('no person, where the platform is not a fake one', async () => {
    const platform = { ...fakePlatform({ schools: [{ id: 'harbour', origin, name: 'Harbour' }], people: {} }) };
    const campus = campusWith({ platform });
    await expect(expectClientConnects(campus, 'zed')).rejects.toThrow('site must be given, unless');
    await expect(expectClientConnects(campus, 'zed', { site: origin })).rejects.toThrow(
      'memberId must be given, unless',
    );
  });

  test('no operator among the people', async () => {
    const platform = fakePlatform({
      schools: [{ id: 'harbour', origin, name: 'Harbour' }],
      people: { harbour: { sam: { roles: ['student'] } } },
    });
    await expect(expectClientConnects(campusWith({ platform }), 'zed')).rejects.toThrow(
      'no person of the fakePlatform is an operator at https://harbour.example',
    );
  });
});
