import { refreshing, refreshOf } from './requests.ts';
import type { Answer, Ask } from './visitor.ts';

/** The tokens of one sign-in. */
export interface Family {
  readonly origin: string;
  readonly access: string[];
  refresh: string;
}

/** What was acknowledged and did not hold. */
export interface Losses {
  /** Tokens from a 200 that are not valid. */
  readonly tokens: number;
  /** Tokens whose revocation got 200 and that are valid. */
  readonly revocations: number;
  /** Codes with which two requests got 200. */
  readonly codes: number;
  /** How much was checked. */
  readonly checked: number;
}

/** Everything that the service acknowledged, to be checked when the fault is over. */
export class Ledger {
  readonly #live = new Set<Family>();
  readonly #revoked: Family[] = [];
  #refused = 0;
  #doubled = 0;
  #codes = 0;

  issued(family: Family): void {
    this.#live.add(family);
  }

  revoked(family: Family): void {
    this.#live.delete(family);
    this.#revoked.push(family);
  }

  /** A live refresh token was refused. */
  refused(family: Family): void {
    this.#live.delete(family);
    this.#refused += 1;
  }

  exchanged(winners: number): void {
    this.#codes += 1;
    if (winners > 1) this.#doubled += 1;
  }

  async check(send: (origin: string, ask: Ask) => Promise<Answer>): Promise<Losses> {
    const verifies = async (origin: string, token: string): Promise<boolean> =>
      (await untilKnown(() => send(origin, { path: '/api/oauth/userinfo', token }))).status === 200;
    const refreshes = async ({ origin, refresh }: Family): Promise<string | undefined> =>
      refreshOf(await untilKnown(() => send(origin, refreshing(refresh))));
    let [tokens, revocations, checked] = [this.#refused, 0, this.#codes];
    await inTurns([...this.#live], async (family) => {
      for (const token of family.access) if (!(await verifies(family.origin, token))) tokens += 1;
      const next = await refreshes(family);
      if (next === undefined) tokens += 1;
      else family.refresh = next;
      checked += family.access.length + 1;
    });
    await inTurns(this.#revoked, async (family) => {
      for (const token of family.access) if (await verifies(family.origin, token)) revocations += 1;
      if ((await refreshes(family)) !== undefined) revocations += 1;
      checked += family.access.length + 1;
    });
    const codes = this.#doubled;
    [this.#refused, this.#doubled, this.#codes, this.#revoked.length] = [0, 0, 0, 0];
    return { tokens, revocations, codes, checked };
  }
}

/** Repeats a request that got no verdict. */
async function untilKnown(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await ask();
    if (answer.status !== 0 && answer.status !== 503) return answer;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('the service did not recover');
}

async function inTurns<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await each(item);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}
