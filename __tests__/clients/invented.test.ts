import { describe, expect, test } from '@jest/globals';
import { typescriptSdk1 } from '../../lib/testing/clients/behaviours.ts';
import type { ClientBehaviour, ClientProgram } from '../../lib/testing/clients/program.ts';
import { startPlaying } from './playing.ts';

const playing = startPlaying();

const redirectUri = 'http://localhost:40123/from/the/browser';

/** A program that nobody has heard of. */
function invented(behaviour: Partial<ClientBehaviour>): ClientProgram {
  return {
    name: 'Chalk Dust',
    source: 'recorded',
    behaviour: { ...typescriptSdk1, ...behaviour },
    redirectUri,
    registration: { clientName: 'Chalk Dust', redirectUris: [redirectUri], authMethods: ['client_secret_post'] },
  };
}

const starts = ['login', 'unauthorized', 'metadata'] as const;
const comparisons = ['equal', 'prefix', 'none'] as const;
const resources = ['metadata', 'metadata without slash', 'typed', 'none'] as const;
const scopeRules = [
  [['challenge'], ['resource']],
  [['challenge', 'resource'], ['server']],
  [['resource'], ['server']],
  [['server']],
  [],
] as const;

describe.each(starts)('a program that nobody has heard of, which starts at: %s', (start) => {
  test.each(resources)('and sends as resource: %s, connects and acts', async (resource) => {
    for (const compare of comparisons) {
      for (const scopes of scopeRules) {
        const { reason, device } = await playing.run(invented({ start, compare, resource, scopes }));
        expect({ compare, scopes, reason }).toEqual({ compare, scopes, reason: undefined });
        expect(device.signedIn?.scope.split(' ')).toContain('courses:write');
      }
    }
  });

  test('and leaves out resource at exchange and refresh, repeats its scopes, or adds offline_access', async () => {
    for (const changes of [{ resourceAt: [] }, { scopeAtRefresh: true }, { offlineAccess: true }]) {
      const { reason } = await playing.run(invented({ start, ...changes }));
      expect({ changes, reason }).toEqual({ changes, reason: undefined });
    }
  });
});
