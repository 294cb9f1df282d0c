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

/** A question to a policy. Unknown members are absent. Treat them as untrusted. */
export interface Question<School extends Site = Site, Person extends Member = Member> {
  readonly site: School;
  /** The app. At use, in its state when the token was issued. */
  readonly app: App;
  readonly client: {
    /** The `client_id`. Absent if a list asks about an app. */
    readonly id?: string | undefined;
    readonly audience: ClientAudience;
  };
  /** The person, with the current roles. Absent for a service and in lists. */
  readonly member?: Person | undefined;
  /** The facts about a service from the platform. */
  readonly service?: Service | undefined;
  /** All requested scopes, or at use all scopes of the token. Every policy gets the same scopes, so their order does not matter. */
  readonly scopes: readonly Scope[];
  readonly at: Moment;
  /**
   * Whether the question is about an approval by `member` for the school. `app.reviewed` then has the value after the approval. @default
   * false
   */
  readonly approving?: boolean | undefined;
}

/** A rule, or nothing where the policy takes nothing away. */
export type PolicyAnswer = AccessRule | null | undefined;

/**
 * A policy of the platform that decides who may connect which app. It is a function, or an object with its `name` and the moments `at`
 * which it applies, by default all. At use it must answer immediately. A policy that waits for something has `at: ['connect', 'refresh']`,
 * and its answer applies until the next refresh. An error, or an answer that is not a rule, is a fault (503) and never a refusal. A policy
 * must not keep data of one school for another.
 */
export type AccessPolicy<School extends Site = Site, Person extends Member = Member> =
  | ((question: Question<School, Person>) => PolicyAnswer)
  | {
      readonly name?: string | undefined;
      readonly at?: readonly Moment[] | undefined;
      /** The roles that the policy names. `campus.diagnose()` compares them with `platform.roles`. @default none */
      readonly roles?: readonly string[] | undefined;
      readonly decide: (question: Question<School, Person>) => PolicyAnswer;
    }
  | {
      readonly name?: string | undefined;
      readonly at: readonly Exclude<Moment, 'use'>[];
      readonly roles?: readonly string[] | undefined;
      readonly decide: (question: Question<School, Person>) => MaybePromise<PolicyAnswer>;
    };
