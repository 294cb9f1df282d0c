import type { MaybePromise, Member, Service, Site } from '../../host/school-platform.ts';
import type { ClientAudience } from '../clients/client.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { App } from './app.ts';
import type { AccessRule } from './rule.ts';

/**
 * When a policy is asked.
 *
 * - `connect`: something is given. Pages, lists and `campus.explain` ask so as well, with what they know.
 * - `refresh`: a token is renewed.
 * - `use`: a token is used.
 */
export type Moment = 'connect' | 'refresh' | 'use';

/** @internal */
export const moments = ['connect', 'refresh', 'use'] as const satisfies readonly Moment[];

/** What a policy is asked. What it does not know is absent, and untrusted. */
export interface Question<School extends Site = Site, Person extends Member = Member> {
  readonly site: School;
  /** At use, as it was when the token was issued. */
  readonly app: App;
  readonly client: {
    /** The `client_id`; absent where a list names an app. */
    readonly id?: string | undefined;
    readonly audience: ClientAudience;
  };
  /** The person, with the roles of now. Absent for a service, and in lists, where nobody is known. */
  readonly member?: Person | undefined;
  /** What the platform says of a service. */
  readonly service?: Service | undefined;
  /** All that is asked for; at use, all that the token has. Every policy gets the same, so their order does not matter. */
  readonly scopes: readonly Scope[];
  readonly at: Moment;
  /** Whether the question is what `member` may approve for the school. `app.reviewed` is then as after the approval. @default false */
  readonly approving?: boolean | undefined;
}

/** A rule, or nothing where the policy takes nothing away. */
export type PolicyAnswer = AccessRule | null | undefined;

/**
 * A policy of the platform: who may connect what. It is a function, or an object with its `name` and the moments `at` which it counts, by default all.
 * At use it must answer at once; one that waits for something has `at: ['connect', 'refresh']`, and what it took away stays taken until the next
 * refresh. What it throws is a fault (503) and never a verdict, and so is an answer that is not a rule. It must keep nothing of one school for another.
 */
export type AccessPolicy<School extends Site = Site, Person extends Member = Member> =
  | ((question: Question<School, Person>) => PolicyAnswer)
  | {
      readonly name?: string | undefined;
      readonly at?: readonly Moment[] | undefined;
      /** The roles that it names, which `campus.diagnose()` compares with `platform.roles`. @default none */
      readonly roles?: readonly string[] | undefined;
      readonly decide: (question: Question<School, Person>) => PolicyAnswer;
    }
  | {
      readonly name?: string | undefined;
      readonly at: readonly Exclude<Moment, 'use'>[];
      readonly roles?: readonly string[] | undefined;
      readonly decide: (question: Question<School, Person>) => MaybePromise<PolicyAnswer>;
    };
