import { expect, test } from '@jest/globals';
import { createDocumentFetcher } from '../../lib/core/outbound/fetcher.ts';
import { createKeySets } from '../../lib/core/outbound/key-sets.ts';
import { TemporarilyUnavailable } from '../../lib/kernel/errors.ts';
import { clientKey } from '../helpers/client-keys.ts';

test.each(['while', 'after'])(
  '%s a fetch for a document fails, a client whose address somebody has chosen has its keys',
  async (when) => {
    const { publicJwk } = await clientKey();
    const keysAt = createKeySets(
      {
        ...createDocumentFetcher(),
        async fetchKeys(_address, { used }) {
          if (used) return { document: { keys: [{ ...publicJwk }] }, ttl: 60 };
          throw new TemporarilyUnavailable('too many are on the way');
        },
      },
      undefined,
      () => {},
    );
    const wanted = { siteId: 'harbour', clientId: 'sync', address: 'https://keys.example/jwks.json', kid: 'key-1' };
    const ofDocument = expect(keysAt({ ...wanted, used: false })).rejects.toThrow('too many');
    if (when === 'after') await ofDocument;
    expect(await keysAt({ ...wanted, used: true })).toEqual([publicJwk]);
    await ofDocument;
  },
);
