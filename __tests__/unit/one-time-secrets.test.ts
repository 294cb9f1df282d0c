import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import type { Credentials } from '../../lib/features/applications/domain/credentials.ts';
import { createOneTimeSecrets, type OneTimeSecrets } from '../../lib/features/applications/domain/one-time-secrets.ts';
import { createKeyRing } from '../../lib/core/keys/key-ring.ts';
import { recordStore } from '../../lib/records/record-store.ts';
import { resetClock, setClockAhead } from '../helpers/clock.ts';

const form = { siteId: 'harbour', memberId: 'olivia', form: 'a digest' };

const keys = createKeyRing(
  { keys: { signing: [], published: [], cookies: ['a secret of all the sites'] }, engines: 1 },
  () => {},
);

function start(): OneTimeSecrets {
  return createOneTimeSecrets(
    recordStore(memoryStore(), () => {}),
    keys,
  );
}

let made = 0;
const make = (): Credentials => {
  made += 1;
  return { clientId: `app-${made}`, clientSecret: `secret ${made}` };
};

describe('secrets that wait for their page', () => {
  test('are given to one of several requests that all read before one of them writes', async () => {
    const secrets = start();
    await secrets.reserve(form, make);
    const taken = await Promise.all(Array.from({ length: 5 }, () => secrets.take(form)));
    expect(taken.filter((credentials) => credentials !== undefined)).toHaveLength(1);
  });

  test('are made once for submissions at the same moment', async () => {
    const secrets = start();
    const all = await Promise.all(Array.from({ length: 5 }, () => secrets.reserve(form, make)));
    expect(new Set(all.map((reserved) => reserved?.credentials?.clientSecret)).size).toBe(1);
  });

  test('are not made for submissions at the same moment of a form that was submitted long ago', async () => {
    const secrets = start();
    await secrets.reserve(form, make);
    setClockAhead(3600);
    const all = await Promise.all(Array.from({ length: 5 }, () => secrets.reserve(form, make)));
    resetClock();
    expect(all).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});
