import { afterEach, beforeEach } from '@jest/globals';
import { type GraphqlResult, type MemberSchools, post, startMemberSchools, tokenOf } from './graphql.ts';

/** The schools with data, and sam's token at Harbour School; new for each test of the file. */
export class AsSam {
  #started: { readonly schools: MemberSchools; readonly token: string } | undefined;

  constructor() {
    beforeEach(async () => {
      const schools = await startMemberSchools();
      this.#started = { schools, token: await tokenOf(schools, schools.harbour) };
    });
    afterEach(() => this.schools.close());
  }

  get schools(): MemberSchools {
    return this.#running().schools;
  }

  get token(): string {
    return this.#running().token;
  }

  /** Asks the Member API of Harbour School. */
  readonly ask = (query: string, variables: object = {}): Promise<GraphqlResult> =>
    post(this.schools.harbour, this.token, { query, variables });

  #running(): { readonly schools: MemberSchools; readonly token: string } {
    if (!this.#started) throw new Error('the schools are there during a test alone');
    return this.#started;
  }
}
