import type { RedemptionOutcome, Store } from '../../../lib/store.ts';

/** A code to redeem many times at once. */
export interface Shot {
  readonly id: string;
  readonly who: string;
  readonly count: number;
  /** After so many statements on a SQLite database, the process that redeems is killed. */
  readonly killedAfter?: number;
}

/** Calls by their names, with their outcomes. */
export type Outcomes = Readonly<Record<string, RedemptionOutcome>>;

/** Saves codes of one grant. */
export async function saveCodes(store: Store, ids: readonly string[]): Promise<void> {
  await store.save('school', { kind: 'Grant', id: 'g', record: 'g', ttl: 3600, memberId: 'sam', clientId: 'app' });
  for (const id of ids)
    await store.save('school', { kind: 'AuthorizationCode', id, record: 'c', ttl: 600, grantId: 'g', familyId: id });
}

/** Each call would write tokens of its own. */
export async function redeemOften(store: Store, { id, who, count }: Shot): Promise<Outcomes> {
  const redeem = async (name: string): Promise<[string, RedemptionOutcome]> => {
    const tokens = kinds.map((kind) => ({ kind, id: `${name} of ${id}`, record: 't', ttl: 600 }));
    const replay = { sealed: name, ttl: 600 };
    return [
      name,
      await store.redeem('school', { kind: 'AuthorizationCode', id, grantId: 'g', now: 1, tokens, replay }),
    ];
  };
  return Object.fromEntries(await Promise.all(Array.from({ length: count }, (_, i) => redeem(`${who} ${i}`))));
}

const kinds = ['AccessToken', 'RefreshToken'] as const;

/** What says which calls won a code: outcomes, the replays of the others, and the tokens of each kind; also of calls without an outcome. */
export async function winnersOf(store: Store, id: string, outcomes: Outcomes, lost: readonly string[] = []) {
  const calls = Object.entries(outcomes);
  const names = [...new Set([...Object.keys(outcomes), ...lost])];
  const owners = async (kind: (typeof kinds)[number]): Promise<string[]> => {
    const tokens = await Promise.all(names.map((name) => store.find('school', kind, `${name} of ${id}`)));
    return names.filter((_, i) => tokens[i]);
  };
  return {
    won: calls.flatMap(([name, outcome]) => (outcome.won ? name : [])),
    replayed: [...new Set(calls.flatMap(([, outcome]) => (outcome.won ? [] : outcome.replay)))],
    access: await owners('AccessToken'),
    refresh: await owners('RefreshToken'),
  };
}
