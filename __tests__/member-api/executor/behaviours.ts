import { setImmediate } from 'node:timers/promises';

/** What a resolver, or a part of what it returns, does instead of returning a value. */
export type Behaviour = (value: unknown) => unknown;

/** The outcome after some turns of the event loop. */
export async function inTurns<T>(turns: number, then: () => T): Promise<T> {
  for (let i = 0; i < turns; i += 1) await setImmediate();
  return then();
}

export function fail(error: unknown): never {
  throw error;
}

const rejected = (turns: number): Promise<never> => inTurns(turns, () => fail(new Error(`rejected in turn ${turns}`)));

type Settle = (outcome: unknown) => void;

const withMethod = (name: string, method: unknown): object => ({ [name]: method });

/** A promise of another library. */
const foreign = (settle: (done: Settle, failed: Settle) => void): object => withMethod('then', settle);

export const behaviours = {
  ok: (value) => value,
  okLater: (value) => inTurns(2, () => value),
  throws: () => fail(new Error('thrown')),
  throwsText: () => fail('a text'),
  rejects: () => Promise.reject(new Error('rejected')),
  rejectsWithNothing: () => Promise.reject(undefined),
  rejectsLater: () => rejected(4),
  rejectsLate: () => rejected(20),
  returnsError: () => new Error('returned'),
  returnsErrorLater: () => inTurns(4, () => new Error('returned later')),
  null: () => null,
  nullLater: () => inTurns(4, () => null),
  undefined: () => undefined,
  wrong: () => ({ not: 'a leaf' }),
  wrongLater: () => inTurns(4, () => Symbol('no leaf')),
  thenable: () => foreign((_done, failed) => void rejected(4).catch(failed)),
  throwingThenable: () => foreign(() => fail(new Error('then has thrown'))),
  settlesTwice: () =>
    foreign((done, failed) => {
      done('value');
      failed(new Error('again'));
      throw new Error('and again');
    }),
} as const satisfies Readonly<Record<string, Behaviour>>;
