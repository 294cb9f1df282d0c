import { afterEach } from '@jest/globals';
import type { MemberApiOptions } from '../../../lib/member/index.ts';
import { type GraphqlResult, type MemberSchools, post, startMemberSchools, tokenOf } from '../graphql.ts';

/** The schools with plug-ins, and what asks their Member API. New for each test. */
export class WithPlugins {
  #schools: MemberSchools | undefined;

  constructor() {
    afterEach(async () => {
      await this.#schools?.close();
      this.#schools = undefined;
    });
  }

  get schools(): MemberSchools {
    if (!this.#schools) throw new Error('start the schools first');
    return this.#schools;
  }

  /** What was thrown in each fault. */
  get causes(): unknown[] {
    return this.schools.faults.map(({ cause }) =>
      cause instanceof Error && cause.cause !== undefined ? cause.cause : cause,
    );
  }

  async start(plugins: readonly object[], options: MemberApiOptions = {}): Promise<void> {
    this.#schools = await startMemberSchools({ memberApi: { ...options, plugins } });
  }

  /** Asks as sam, with the scopes of the application or fewer. */
  async ask(query: string, { scope, ...members }: AskOptions = {}): Promise<GraphqlResult> {
    const { harbour } = this.schools;
    const token = await tokenOf(this.schools, harbour, scope === undefined ? {} : { scope });
    return post(harbour, token, { ...(query && { query }), ...members });
  }
}

interface AskOptions {
  readonly scope?: string;
  readonly variables?: object;
  readonly operationName?: string;
  readonly extensions?: object;
}
