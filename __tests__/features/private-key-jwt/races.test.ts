import { afterEach, expect, test } from '@jest/globals';
import { memoryStore } from '../../../adapters/memory/index.ts';
import { clientKey, keyFields } from '../../helpers/client-keys.ts';
import { rawRequest } from '../../helpers/raw-http.ts';
import { type Schools, startSchools } from '../../helpers/schools.ts';
import { withServices } from '../../helpers/services.ts';

const crowd = 64;

let processes: readonly Schools[] = [];
afterEach(() => Promise.all(processes.map((each) => each.close())));

test(`of ${crowd} requests with one assertion, at two processes on one store, exactly one succeeds`, async () => {
  const key = await clientKey();
  const client = {
    clientId: 'keyed',
    clientName: 'Keyed',
    audience: 'service',
    redirectUris: [],
    scopes: ['courses:read'],
    publicKeys: { keys: [key.publicJwk] },
  } as const;
  const campus = {
    ...withServices,
    store: memoryStore(),
    clients: [...withServices.clients, client],
    clientAuthentication: ['private_key_jwt'],
  } as const;
  const one = await startSchools({ campus });
  // The second process serves the same origins.
  const platform = {
    findSite: () => ({ id: 'harbour', origin: one.harbour, name: 'Harbour', connectionsEnabled: true }),
  };
  const two = await startSchools({ campus, platform });
  processes = [one, two];
  const form = { grant_type: 'client_credentials', ...(await keyFields('keyed', one.harbour, key)) };
  const body = new URLSearchParams(form).toString();
  const ask = ({ harbour }: Schools): Promise<string> =>
    rawRequest(Number(new URL(harbour).port), [
      'POST /api/oauth/token HTTP/1.1',
      `Host: ${new URL(one.harbour).host}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Connection: close',
      `Content-Length: ${body.length}`,
      '',
      body,
    ]);
  const responses = await Promise.all(Array.from({ length: crowd }, (_, i) => ask(i % 2 === 0 ? one : two)));
  const count = (text: RegExp): number => responses.filter((response) => text.test(response)).length;
  expect(count(/^HTTP\/1\.1 200 /)).toBe(1);
  expect(count(/^HTTP\/1\.1 401 [^]*invalid_client[^]*used before/)).toBe(crowd - 1);
});
