import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccessPolicy } from '../../lib/index.ts';
import {
  loopbackClients,
  metadataDocuments,
  onlyRoles,
  reviewedOnly,
  vendorPlatforms,
  viewOnlyUnlessVerified,
  wellKnownVendors,
} from '../../policies/index.ts';
import { accessPolicies } from '../../lib/core/access/ask-policies.ts';
import { standardScopes } from '../helpers/scopes.ts';
import { reviewsOf } from '../helpers/reviews.ts';
import { authorizeUrl, connect, type JsonResponse, pkce, refresh, type TestClient } from '../helpers/flow.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';
import { type DecidedSchools, apps, startDecidedSchools } from './decided-schools.ts';

// "Only teachers connect assistants, students only reviewed apps, nobody unverified writes": three lines, and what five people get of eight kinds of app.

const newcomer: readonly AccessPolicy[] = [
  onlyRoles(['teacher'], { kind: 'assistant' }),
  reviewedOnly({ except: ['owner', 'teacher', 'parent'] }),
  viewOnlyUnlessVerified(),
];

/** W: it reads and writes. R: it reads. -: it gets nothing. */
const table: Readonly<Record<string, string>> = {
  //                   portal library quiz claude approved unknown  Claude nobody
  //                                              document document Code   knows it
  owner: /*          */ 'W      W       W    -      -        -        -      -',
  teacher: /*        */ 'W      W       W    W      W        R        R      R',
  'student teacher': /**/ 'W      W       W    W      W        R        R      R',
  student: /*        */ 'W      W       -    -      -        -        -      -',
  parent: /*         */ 'W      W       W    -      -        -        -      -',
};

const scope = 'openid courses:read courses:write';
const people = Object.keys(table);
const idOf = (who: string): string => who.replace(' ', '-');
/** The policies count, which they do not while everybody connects everything. */
let isStrict = false;
const access = newcomer.map((policy): AccessPolicy => {
  const asked = accessPolicies([policy], standardScopes, (message) => {
    throw new Error(message);
  });
  return (question) => {
    const rules = isStrict ? asked(question) : [];
    return rules instanceof Promise ? undefined : rules[0]?.rule;
  };
});

const documentClient = (host: string): TestClient => ({
  id: `https://${host}/client.json`,
  redirectUri: `https://${host}/callback`,
  scope,
});

let server: DocumentServer;
let on: DecidedSchools;
let clients: readonly TestClient[];
beforeAll(async () => {
  server = await startDocumentServer();
  server.respond(({ headers: { host = '' } }, response) => {
    const { id, redirectUri } = documentClient(host.replace(/:\d+$/, ''));
    const document = { client_id: id, client_name: 'Docs', redirect_uris: [redirectUri] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const source = { kind: 'read', url: 'https://docs.example/' } as const;
  const known = { name: 'Docs', url: documentClient('docs.example').id, source, app: 'claude' } as const;
  const quiz = {
    clientId: 'quiz',
    clientName: 'Quiz',
    names: ['Quiz'],
    redirectUris: ['https://quiz.example/callback'],
    app: { id: 'quiz', name: 'Quiz', kind: 'website' },
  } as const;
  const portal = { id: 'portal', redirectUri: 'https://portal.example/callback', secret: 'portal-secret', scope };
  on = await startDecidedSchools(
    {
      access,
      limits: false,
      registration: [vendorPlatforms([...wellKnownVendors, quiz]), loopbackClients()],
      metadataDocuments: metadataDocuments({ documents: [known], hosts: ['apps.example'] }),
      clients: [
        {
          clientId: portal.id,
          clientName: 'Portal',
          audience: 'operator',
          redirectUris: [portal.redirectUri],
          scopes: ['openid', 'courses:read', 'courses:write'],
          clientSecret: portal.secret,
          firstParty: true,
        },
      ],
      testing: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        ca: certificate,
        allowPrivateAddresses: true,
        port: server.port,
      },
    },
    { operatorRoles: ['owner', 'teacher', 'student', 'parent'] },
  );
  const { olivia } = on.schools.people['harbour'] ?? {};
  if (!olivia) throw new Error('the school has no owner');
  // The first role alone decides for the school; each person acts for an operator, so that the policies alone decide.
  on.schools.people['harbour'] = Object.fromEntries(
    people.map((who) => [idOf(who), { ...olivia, id: idOf(who), roles: who.split(' ').toReversed() }]),
  );
  const redirectUri = 'https://library.example/callback';
  const { application, clientSecret: secret } = await on.schools.campus.applications.create(on.site, {
    clientName: 'Library',
    audience: 'operator',
    redirectUris: [redirectUri],
    scopes: ['openid', 'courses:read', 'courses:write'],
    confidential: true,
    signIn: {},
  });
  clients = [
    portal,
    { id: application.clientId, redirectUri, scope, ...(secret !== undefined && { secret }) },
    { id: quiz.clientId, redirectUri: quiz.redirectUris[0], scope },
    await on.register(apps['a vendor']),
    documentClient('docs.example'),
    documentClient('apps.example'),
    await on.register(apps['a known loopback app']),
    await on.register(apps['an unknown loopback app']),
  ];
  const approved = documentClient('docs.example');
  await on.schools.browser('owner').follow(authorizeUrl(on.schools.harbour, approved, pkce()));
  await reviewsOf(on.schools.campus).approve(on.site, approved.id);
});
afterAll(async () => {
  await on.schools.close();
  await server.close();
});

const letter = (scopes: readonly string[]): string =>
  scopes.includes('courses:write') ? 'W' : scopes.includes('courses:read') ? 'R' : '-';

const issued = ({ body: { scope: given } }: JsonResponse): string =>
  letter(typeof given === 'string' ? given.split(' ') : []);

async function used({ body }: JsonResponse): Promise<string> {
  const verified = on.schools.campus.verify(on.site, String(body['access_token']));
  return letter(await verified.then(({ scopes }) => scopes).catch(() => []));
}

test.each(people)('%s: the same at connecting, at refresh and at use', async (who) => {
  const { harbour } = on.schools;
  const browser = on.schools.browser(idOf(who));
  isStrict = false;
  const before: JsonResponse[] = [];
  for (const client of clients) before.push(await connect(browser, harbour, client));
  isStrict = true;
  const found: Record<string, string[]> = { use: [], refresh: [], connect: [] };
  for (const [i, client] of clients.entries()) {
    const token = before[i];
    if (!token) throw new Error('nothing is connected');
    found['use']?.push(await used(token));
    found['refresh']?.push(issued(await refresh(harbour, client, token.body['refresh_token'])));
    found['connect']?.push(await connect(browser, harbour, client).then(issued, () => '-'));
  }
  const row = table[who]?.split(/ +/);
  expect(found).toEqual({ use: row, refresh: row, connect: row });
});
