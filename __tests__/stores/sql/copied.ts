import type { GivenGrant, NewRecord, Redemption, Store, StorePage } from '../../../lib/store.ts';

const longApp = 'an app with a long name, of many clients';

export const grantOf = (i: number): NewRecord => ({
  kind: 'Grant',
  id: `g ${i}`,
  record: `{"grant":${i}}`,
  ttl: 86_400,
  memberId: `member ${i % 50}`,
  clientId: i % 2 === 0 ? 'app' : `https://client.example/${'long/'.repeat(20)}`,
  // Whether a client is one of an app does not change.
  app: i % 2 === 0 ? longApp : undefined,
});

/** A refresh token of a line. */
export const lineToken = (i: number, generation: number) =>
  ({
    kind: 'RefreshToken',
    id: `${`line-${i}`.padEnd(22, '-')}~${`token-${generation}`.padEnd(22, '-')}`,
    record: `line ${i} ${generation}`,
    ttl: 80_000,
  }) as const;

/** The refresh of a line, with a new access token. */
export const lineRefresh = (i: number, generation: number): Redemption => ({
  kind: 'RefreshToken',
  id: lineToken(i, generation).id,
  grantId: `g ${i}`,
  now: 1_795_303_200,
  tokens: [lineToken(i, generation + 1)],
});

/** Saves every kind of thing that a store has, and this many connections. */
export async function fill(store: Store, count: number): Promise<void> {
  const connect = async (i: number): Promise<void> => {
    const grantId = `g ${i}`;
    await store.save('school', grantOf(i));
    const code = { kind: 'AuthorizationCode', id: `c ${i}`, record: 'c', ttl: 7200 } as const;
    await store.save('school', { ...code, grantId, familyId: `f ${i}` });
    const tokens = [
      { kind: 'AccessToken', id: `a ${i}`, record: 'Zoë\n"a"', ttl: 7200 },
      i % 4 === 2 ? lineToken(i, 0) : ({ kind: 'RefreshToken', id: `r ${i}`, record: 'r', ttl: 86_400 } as const),
    ] as const;
    await store.redeem('school', { kind: 'AuthorizationCode', id: `c ${i}`, grantId, now: 1_795_303_200, tokens });
    if (i % 8 === 2) await store.redeem('school', lineRefresh(i, 0));
  };
  const left = Array.from({ length: count }, (_, i) => i);
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let i = left.pop(); i !== undefined; i = left.pop()) await connect(i);
    }),
  );
  await store.save('school', { ...grantOf(1), endsAccessTokens: true });
  await store.endFamily('school', 'g 3', 'f 3');
  await store.save('other school', { ...grantOf(0), ttl: undefined });
  await store.save('other school', { kind: 'RefreshToken', id: 'endless', record: 'r', grantId: 'g 0', familyId: 'f' });
  await store.save('school', { kind: 'Client', id: 'mine', record: 'listed', listed: true });
  await store.save('school', { kind: 'Client', id: 'registered', record: 'client', ttl: 86_400 });
  await store.save('school', { kind: 'AppRule', id: 'b', record: 'block', listed: true });
  await store.save('', { kind: 'Document', id: 'https://client.example/', record: 'document' });
  await store.save('school', { kind: 'Session', id: 's', record: 'session', ttl: 3600 });
}

async function grantsToApp(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null | undefined = ''; typeof after === 'string';) {
    const page: StorePage<GivenGrant> = await store.grantsOf('school', { app: longApp, after, limit: 100 });
    found.push(...page.entries.map(({ id, memberId }) => `${id} ${memberId}`));
    after = page.next;
  }
  return found.sort();
}

/** What a service sees of it, but for the time at which it looks. */
export async function seen(store: Store): Promise<unknown> {
  const find = async (...args: Parameters<Store['find']>): Promise<unknown> => {
    const found = await store.find(...args);
    return (
      found &&
      Object.fromEntries(
        Object.entries(found).filter(([name, value]) => name !== 'now' && value !== undefined && value !== null),
      )
    );
  };
  const grants = await find('school', 'RefreshToken', 'r 5', { withGrant: true });
  return {
    grants: JSON.parse(
      JSON.stringify(grants ?? null, (key, value: unknown) =>
        key === 'refreshUntil' ? Math.round(Number(value) / 100) : value,
      ),
    ),
    code: await find('school', 'AuthorizationCode', 'c 5'),
    earlier: await find('school', 'AccessToken', 'a 1'),
    lines: await Promise.all([
      find('school', 'RefreshToken', lineToken(10, 0).id),
      find('school', 'RefreshToken', lineToken(10, 1).id),
      find('school', 'RefreshToken', lineToken(14, 0).id),
      find('school', 'RefreshToken', lineToken(14, 0).id.slice(0, 22)),
    ]),
    ended: await find('school', 'RefreshToken', 'r 3'),
    endless: await find('other school', 'RefreshToken', 'endless'),
    ids: (await store.grantIds('school', { memberId: 'member 7' })).sort(),
    counts: [
      await store.countGrants('school', [{ clientId: 'app' }]),
      await store.countGrants('school', [{ clientId: grantOf(1).clientId ?? '' }]),
      await store.countGrants('other school', [{ clientId: 'app' }]),
    ],
    use: (await store.clientsByUse('school', { limit: 100 })).entries,
    ofApp: await grantsToApp(store),
    lists: [await store.list('school', 'Client'), await store.list('school', 'AppRule')],
    client: await find('school', 'Client', 'registered'),
    document: await find('', 'Document', 'https://client.example/'),
    session: await find('school', 'Session', 's'),
  };
}
