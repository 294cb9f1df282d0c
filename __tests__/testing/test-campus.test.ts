import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { type CampusOptions, createCampus, type FaultEvent } from '../../lib/index.ts';
import { createTestCampus, fakePlatform, issueTokens } from '../../lib/testing/index.ts';
import { metadataDocuments } from '../../policies/index.ts';
import { signingKey } from '../helpers/keys.ts';
import { certificate, type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';
import { clientId, ordinary } from '../features/metadata-documents/document-schools.ts';

const site = 'https://harbour.example';
const options: CampusOptions = {
  platform: fakePlatform({
    schools: [{ id: 'harbour', origin: site, name: 'Harbour School' }],
    people: { harbour: { olivia: { roles: ['owner'] } } },
  }),
  store: memoryStore(),
  keys: { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] },
  metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }),
};

describe('createTestCampus', () => {
  let server: DocumentServer;
  beforeAll(async () => {
    server = await startDocumentServer();
    server.respond((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ordinary));
    });
  });
  afterAll(() => server.close());
  const exceptions = () => ({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ca: certificate,
    allowPrivateAddresses: true,
    port: server.port,
  });
  const request = { site, memberId: 'olivia', clientId, scopes: ['openid'] };

  test('makes a campus that fetches metadata documents of this machine', async () => {
    const campus = createTestCampus(options, exceptions());
    const faults: FaultEvent[] = [];
    campus.events.on('fault', (fault) => faults.push(fault));
    expect(await issueTokens(campus, request)).toMatchObject({ scope: 'openid' });
    expect(server.requests).toEqual(['docs.example/client.json']);
    expect(faults).toEqual([]);
  });

  test.each<[object, string]>([
    [{ colour: 1 }, 'unknown option "createTestCampus.exceptions.colour"; valid options: resolve, ca, '],
    [{ port: 0 }, 'createTestCampus.exceptions.port must be a whole number, at least 1 and at most 65535'],
  ])('%j is refused', (wrong, message) => {
    expect(() => Reflect.apply(createTestCampus, undefined, [options, wrong])).toThrow(message);
  });

  test.each([undefined, 'production', 'development'])(
    'refuses while NODE_ENV is %j, unless a flag says so',
    (value) => {
      const before = process.env['NODE_ENV'];
      if (value === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = value;
      try {
        expect(() => createTestCampus(options, exceptions())).toThrow('so NODE_ENV must be "test"');
        expect(() => createTestCampus(options, { ...exceptions(), allowOutsideTests: true })).not.toThrow();
      } finally {
        process.env['NODE_ENV'] = before;
      }
    },
  );

  test('is the only way: createCampus has no such option', () => {
    const create = () => Reflect.apply(createCampus, undefined, [{ ...options, testing: exceptions() }]);
    expect(create).toThrow('unknown option "testing"');
  });
});
