import type { MaybePromise } from '../../host/school-platform.ts';
import type { Store } from '../../records/store.ts';
import { Bench } from './case.ts';
import { expiryCases } from './expiry-cases.ts';
import { familyCases } from './family-cases.ts';
import { grantCases } from './grant-cases.ts';
import { lineCases } from './line-cases.ts';
import { logCases } from './log-cases.ts';
import { quotaCases } from './quota-cases.ts';
import { recordCases } from './record-cases.ts';
import { redemptionCases } from './redemption-cases.ts';
import { sweepCases } from './sweep-cases.ts';
import { useCases } from './use-cases.ts';
import { versionCases } from './version-cases.ts';

/** One case of the contract. */
export interface StoreCase {
  /** Unique among the cases. */
  readonly name: string;
  /** Rejects with an `AssertionError` if the store breaks the contract. */
  readonly run: () => Promise<void>;
}

const all = [
  recordCases,
  redemptionCases,
  familyCases,
  lineCases,
  grantCases,
  versionCases,
  quotaCases,
  expiryCases,
  sweepCases,
  useCases,
  logCases,
];

/**
 * Returns the contract of `Store` as cases for any test runner: `for (const { name, run } of storeContract(makeStore)) test(name, run)`.
 *
 * `makeStore` may return the same store each time, even a store in use: each case has separate schools, and does not remove other data.
 * Cases can run one after the other or at the same time.
 *
 * A store uses the clock of this process or of its server for `ttl` and `window`. Six cases wait for one or two seconds with real timers,
 * and fail after four, so a mocked clock must not stand still. Missing values may be `null`.
 */
export function storeContract(makeStore: () => MaybePromise<Store>): readonly StoreCase[] {
  const checks = all.flatMap((cases) => Object.entries(cases));
  return checks.map(([name, run]) => ({ name, run: async () => run(new Bench(await makeStore())) }));
}
