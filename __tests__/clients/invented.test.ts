import { describe, expect, test } from '@jest/globals';
import { strictest, typescriptSdk1 } from '../../lib/simulated-clients/behaviours.ts';
import type { ClientBehaviour, SimulatedClient } from '../../lib/simulated-clients/simulated-client.ts';
import {
  knownDocuments,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from '../../policies/index.ts';
import { recordedDocuments } from '../../lib/features/metadata-documents/recorded-documents.ts';
import { startPlaying } from './playing.ts';
import { createApplication } from './recommended.ts';

const document = 'https://tutor.example/oauth/client.json';

const playing = startPlaying({
  campus: {
    registration: [
      vendorPlatforms([
        ...wellKnownVendors,
        {
          clientId: 'chalk',
          clientName: 'Chalk',
          names: ['Chalk'],
          redirectUris: [
            'https://chalk.example/callback',
            'chalk://desktop/callback',
            'http://localhost:9123/callback',
          ],
        },
        { clientName: 'Slate', names: ['Slate'], callbackPrefix: 'https://slate.example/redirect/' },
      ]),
      loopbackClients(),
    ],
    metadataDocuments: metadataDocuments({ documents: knownDocuments, hosts: ['tutor.example'] }),
  },
  published: [
    ...recordedDocuments,
    {
      client_id: document,
      client_name: 'Tutor Desk',
      redirect_uris: ['https://tutor.example/back', 'http://127.0.0.1/back'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
      jwks_uri: 'https://tutor.example/jwks.json',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    },
  ],
});

const loopback = 'http://localhost:40123/from/the/browser';

/** An app that no list has. */
function stranger(behaviour: ClientBehaviour, more: Partial<SimulatedClient> = {}): SimulatedClient {
  const { redirectUri = loopback } = more;
  return {
    name: 'Pencil Case',
    source: 'recorded',
    behaviour,
    redirectUri,
    registration: { clientName: 'Pencil Case', redirectUris: [redirectUri], authMethods: ['client_secret_post'] },
    ...more,
  };
}

const resources = ['metadata', 'metadata without slash', 'typed', 'none'] as const;
const scopeRules = [
  [['challenge'], ['resource']],
  [['challenge', 'resource'], ['server']],
  [['resource'], ['server']],
  [['server']],
  [],
] as const;

describe.each(['login', 'unauthorized'] as const)('an app that no list has, which starts at: %s', (start) => {
  const behaviour = { ...strictest, start };

  test.each(resources)('and sends as resource: %s, acts whatever its rule for scopes', async (resource) => {
    for (const scopes of scopeRules) {
      const { reason, installation } = await playing.run(stranger({ ...behaviour, resource, scopes }));
      expect({ scopes, reason }).toEqual({ scopes, reason: undefined });
      expect(installation.signedIn?.scope.split(' ')).toContain('courses:write');
    }
  });

  test.each([
    ['sends resource only to the authorization endpoint', { resourceAt: [] }],
    ['repeats its scopes at refresh', { scopeAtRefresh: true }],
    ['adds offline_access', { offlineAccess: true }],
    ['adds offline_access to the list of the server', { offlineAccess: true, scopes: [['server']] }],
  ] as const)('and %s, acts', async (_name, changes) => {
    const { reason } = await playing.run(stranger({ ...behaviour, ...changes }));
    expect(reason).toBeUndefined();
  });
});

test.each(['https://chalk.example/callback', 'chalk://desktop/callback', 'http://localhost:50900/callback'])(
  'a vendor that the platform adds acts, back through %s',
  async (redirectUri) => {
    const registration = { clientName: 'Chalk', redirectUris: [redirectUri], authMethods: ['none'] };
    const { reason, installation } = await playing.run(stranger(typescriptSdk1, { redirectUri, registration }));
    expect([reason, installation.signedIn?.clientId]).toEqual([undefined, 'chalk']);
  },
);

test('a vendor whose tools have callbacks of their own acts, as another client for each', async () => {
  const [first, second] = await Promise.all(
    ['https://slate.example/redirect/one', 'https://slate.example/redirect/two'].map((redirectUri) =>
      playing.run(
        stranger(strictest, {
          redirectUri,
          registration: { clientName: 'Slate', redirectUris: [redirectUri], authMethods: ['client_secret_post'] },
        }),
      ),
    ),
  );
  expect([first?.reason, second?.reason]).toEqual([undefined, undefined]);
  expect(first?.installation.signedIn?.clientId).not.toBe(second?.installation.signedIn?.clientId);
});

test.each(['https://tutor.example/back', 'http://127.0.0.1:50901/back'])(
  'a document at a host that the platform permits acts once it is approved, back through %s',
  async (redirectUri) => {
    const { reason, installation } = await playing.run(stranger(typescriptSdk1, { document, redirectUri }));
    expect([reason, installation.signedIn?.clientId]).toEqual([undefined, document]);
  },
);

test.each(recordedDocuments.map(({ client_id: id, redirect_uris: uris }) => [id, uris[0] ?? ''] as const))(
  'an app with the recorded document %s acts',
  async (known, redirectUri) => {
    const { reason, installation } = await playing.run(stranger(strictest, { document: known, redirectUri }));
    expect([reason, installation.signedIn?.clientId]).toEqual([undefined, known]);
  },
);

test('an app with a fixed callback acts with an application that an operator created', async () => {
  const redirectUri = 'https://n8n.harbour.example/rest/oauth2-credential/callback';
  const app = stranger(strictest, { redirectUri });
  expect((await playing.run(app)).reason).toMatch(/^registration was refused/);
  const client = await createApplication(playing.schools(), redirectUri, 'operator');
  expect((await playing.run(app, { client })).reason).toBeUndefined();
});
