import type { RedemptionOutcome, Store } from '../../../lib/store.ts';

/** A code to redeem many times at once. */
export interface Shot {
  readonly id: string;
  readonly who: string;
  readonly count: number;
}

/** Each call would write a token of its own. */
export function redeemOften(store: Store, { id, who, count }: Shot): Promise<RedemptionOutcome[]> {
  const calls = Array.from({ length: count }, (_, i) =>
    store.redeem('school', {
      kind: 'AuthorizationCode',
      id,
      grantId: 'g',
      now: 1,
      tokens: [{ kind: 'AccessToken', id: `${who} ${i} of ${id}`, record: 't', ttl: 60 }],
      replay: { sealed: `${who} ${i}`, ttl: 60 },
    }),
  );
  return Promise.all(calls);
}
