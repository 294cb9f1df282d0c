import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { authorizeUrl, pkce } from '../../__tests__/helpers/flow.ts';
import { type Family, Ledger } from './ledger.ts';
import { client, exchanging, form, refreshing, tokensOf } from './requests.ts';
import { harbour, summit, type Topology } from './topology.ts';
import { type Answer, type Ask, post, Visitor } from './visitor.ts';

/** What a drill saw. */
export interface Seen {
  /** Responses by status; `none` got none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Longest time, in milliseconds, in which no request to the school that the drill hits succeeded. */
  readonly pause: number;
  /** Responses that were neither what was asked for nor 503. */
  readonly unexpected: readonly string[];
}

/** Milliseconds between two steps of a device. */
const pace = 60;

/** People with devices, and strangers, who use two schools in a loop. */
export class Load {
  readonly ledger = new Ledger();
  readonly #topology: Topology;
  readonly #loops: Promise<void>[] = [];
  #running = true;
  #statuses: Record<string, number> = {};
  #unexpected: string[] = [];
  #lastSuccess = performance.now();
  #pause = 0;
  #successes: number[] = [];

  constructor(topology: Topology) {
    this.#topology = topology;
  }

  start(devices: number): void {
    this.#running = true;
    const loop = (run: () => Promise<void>, milliseconds: number): void => {
      this.#loops.push(
        (async () => {
          while (this.#running) {
            await run();
            await sleep(milliseconds);
          }
        })(),
      );
    };
    for (let i = 0; i < devices; i += 1) {
      const { origin } = i % 5 === 4 ? summit : harbour;
      loop(this.#device(origin, `person-${i}-${randomBytes(4).toString('hex')}`, i), pace);
    }
    for (let i = 0; i < 2; i += 1) loop(this.#twice(`twice-${i}-${randomBytes(4).toString('hex')}`), pace);
    for (let i = 0; i < 2; i += 1) loop(() => this.#stranger(), pace);
  }

  async stop(): Promise<void> {
    this.#running = false;
    await Promise.all(this.#loops.splice(0));
  }

  /** Begins to count. */
  begin(): void {
    this.#statuses = {};
    this.#unexpected = [];
    this.#pause = 0;
    this.#lastSuccess = performance.now();
  }

  seen(): Seen {
    const pause = Math.max(this.#pause, performance.now() - this.#lastSuccess);
    return { statuses: this.#statuses, pause: Math.round(pause), unexpected: this.#unexpected };
  }

  /** Waits until every device has so many further successes; returns whether they had within the time. */
  async recovered(count: number, milliseconds: number): Promise<boolean> {
    const before = [...this.#successes];
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      if (this.#successes.every((number, i) => number >= (before[i] ?? 0) + count)) return true;
      await sleep(20);
    }
    return false;
  }

  /** Strangers, two requests each, who come at a fixed rate, however long the responses take. */
  async flood(perSecond: number, milliseconds: number): Promise<void> {
    const waiting: Promise<unknown>[] = [];
    const start = performance.now();
    for (let sent = 0; performance.now() - start < milliseconds;) {
      const due = ((performance.now() - start) / 1000) * perSecond;
      for (; sent < due; sent += 1) waiting.push(this.#stranger());
      await sleep(10);
    }
    await Promise.all(waiting);
  }

  /** A device that refreshes, uses its token, and sometimes signs out and in again. */
  #device(origin: string, person: string, at: number): () => Promise<void> {
    const visitor = new Visitor((ask) => this.#ask(origin, ask, [200, 302, 303]), origin, person);
    let family: Family | undefined;
    let steps = 0;
    this.#successes[at] = 0;
    return async () => {
      if (!family) {
        family = await this.#signIn(visitor);
        return;
      }
      steps += 1;
      if (steps % 12 === 0) {
        const revoked = await this.#ask(origin, {
          path: '/api/oauth/revoke',
          form: form({ token: family.refresh }),
        });
        if (revoked.status === 200) {
          this.ledger.revoked(family);
          family = undefined;
        } else steps -= 1;
        return;
      }
      const refreshed = await this.#ask(origin, refreshing(family.refresh));
      if (refreshed.status === 200) {
        const next = tokensOf(refreshed.text);
        family.refresh = next.refresh;
        family.access.push(next.access);
      } else if (refreshed.status !== 503 && refreshed.status !== 0) {
        this.ledger.refused(family);
        family = undefined;
        return;
      }
      const used = await this.#ask(origin, { path: '/api/oauth/userinfo', token: family.access.at(-1) });
      if (refreshed.status === 200 && used.status === 200) this.#successes[at] = (this.#successes[at] ?? 0) + 1;
    };
  }

  async #signIn(visitor: Visitor): Promise<Family | undefined> {
    const result = await visitor.signIn(client);
    if (!('code' in result)) return undefined;
    const { origin } = result.code;
    const answer = await this.#ask(origin, exchanging(result.code), [200, 400]);
    if (answer.status !== 200) return undefined;
    const { access, refresh } = tokensOf(answer.text);
    const family = { origin, access: [access], refresh };
    this.ledger.issued(family);
    return family;
  }

  /** A person whose code is redeemed twice at once: at two processes, if there are two. */
  #twice(person: string): () => Promise<void> {
    const { origin } = harbour;
    const visitor = new Visitor((ask) => this.#ask(origin, ask, [200, 302, 303]), origin, person);
    return async () => {
      const result = await visitor.signIn(client);
      if (!('code' in result)) return;
      const { code } = result;
      const { servers } = this.#topology;
      const answers = await Promise.all(
        [servers[0], servers.at(-1)].map((server) =>
          this.#count(origin, () => post(server?.port ?? 0, origin, exchanging(code)), [200, 400]),
        ),
      );
      this.ledger.exchanged(answers.filter(({ status }) => status === 200).length);
    };
  }

  /** Someone without a session begins to authorize, and someone tries a token that is none. */
  async #stranger(): Promise<void> {
    const { origin } = harbour;
    const start = authorizeUrl(origin, client, pkce());
    await Promise.all([
      this.#ask(origin, { path: start.pathname + start.search }, [302, 303]),
      this.#ask(origin, { path: '/api/oauth/userinfo', token: randomBytes(32).toString('base64url') }, [401]),
    ]);
  }

  #ask(origin: string, ask: Ask, expected: readonly number[] = [200]): Promise<Answer> {
    return this.#count(origin, () => this.#topology.send(origin, ask), expected);
  }

  async #count(origin: string, ask: () => Promise<Answer>, expected: readonly number[]): Promise<Answer> {
    const answer = await ask();
    const { status, text } = answer;
    const name = status === 0 ? 'none' : String(status);
    this.#statuses[name] = (this.#statuses[name] ?? 0) + 1;
    if (expected.includes(status)) {
      const now = performance.now();
      if (origin !== harbour.origin) return answer;
      this.#pause = Math.max(this.#pause, now - this.#lastSuccess);
      this.#lastSuccess = now;
    } else if (status !== 0 && status !== 503) this.#unexpected.push(`${status} ${text.slice(0, 200)}`);
    return answer;
  }
}
