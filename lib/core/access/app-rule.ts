import * as z from 'zod';
import { type Decided, type DecisionNote, type AppStatus } from '../clients/client-status.ts';
import { appAccesses, type AppRule } from './rule.ts';
import type { ExpectedVersion } from '../clients/expected-version.ts';
import type { BlockedClient, ListPage, ListQuery } from '../clients/listed-client.ts';
import type { Site } from '../../host/school-platform.ts';
import type { Decider } from './rule.ts';
import { group, type Shape, text as someText } from '../../kernel/option-schemas.ts';

/** What a rule is for: an app, however it becomes a client, or one client, whose rule is then in place of its app's. */
export type AppTarget = { readonly app: string } | { readonly clientId: string };

/** Where a rule comes from. */
export type RuleOrigin = 'default' | Decider;

/** An app, as far as is known without a look-up. */
export interface RuledApp {
  readonly id: string;
  readonly verified: boolean;
}

/** A person who may connect an app or client that the school approves for each person. */
export interface AllowedPerson extends Decided {
  readonly memberId: string;
  /** Another one after each decision on this person. */
  readonly version: string;
}

/** An app or client and the rule that is in force for it at a school. */
export interface ListedApp {
  /** The id of the app; absent for a client of another app. */
  readonly app?: string | undefined;
  /** The `client_id`; absent for an app. */
  readonly clientId?: string | undefined;
  /** Its name. */
  readonly clientName: string;
  /** The rule in force: the stricter of the school's and those of policies. */
  readonly rule: AppRule;
  /** What it may do, in one word. */
  readonly status: AppStatus;
  /** Where it comes from; `platform` if the platform makes it stricter than the school does. */
  readonly from: RuleOrigin;
  /** The school's own rule for exactly this app or client, if it has one. */
  readonly own?: AppRule | undefined;
  /** The school's decision on it: who, when and why. @default there is none */
  readonly decided?: Decided | undefined;
  /** Another one after each decision of the school on it and, for a client without a rule of its own, on its app. */
  readonly version: string;
  /** How many people are connected to it now. */
  readonly people: number;
}

/**
 * A school's rules for apps. The caller must have authenticated an administrator of the school. Every method throws
 * `TemporarilyUnavailable` if the store fails.
 *
 * With the `version` that an administrator saw, a method that decides throws `DecisionConflict`, status 409, if somebody else has decided since,
 * and changes nothing: what someone saw is what they decide on. The same decision can be repeated.
 */
export interface Apps {
  /**
   * Returns the known apps, and other clients that people have connected or that have a rule: those with a rule of the school
   * first.
   */
  list(site: Site, query?: ListQuery): Promise<ListPage<ListedApp>>;
  /**
   * Returns one of them, or what it would be there.
   *
   * @throws InvalidRequest for the id of an app that is not known and has no rule; the message says which one was meant
   */
  find(site: Site, target: AppTarget): Promise<ListedApp>;
  /**
   * Sets the school's rule. Where it is stricter than the one before, the connections of all its clients end at once; the result
   * says how many. If it fails, call it again: the rule stands already, and connections that are left end then.
   *
   * The id of an app must be one of `knownApps`, or one that a client of the school has or that an option names. Any other client is named
   * by `{ clientId }`, whether it is known or not.
   *
   * @throws InvalidRequest for an app that is not known, text that cannot be an id, a scope that does not exist, or a role that `platform.roles` does not list,
   * unless the rule before has it. The same for a type in `limited` that `boundaries` does not have
   * @throws TemporarilyUnavailable also if `platform.roles` fails
   */
  set(
    site: Site,
    target: AppTarget,
    rule: AppRule,
    note?: DecisionNote & ExpectedVersion,
  ): Promise<{ readonly connections: number }>;
  /** Removes the school's decision, also for an app that is no longer known. Where what applies then is stricter, connections end as with `set`. */
  reset(site: Site, target: AppTarget, expected?: ExpectedVersion): Promise<{ readonly connections: number }>;
  /**
   * Lets one person connect it where a rule has `ask`, or that of the school has roles that the person lacks. It does not lift a block.
   * `version` is that of the app or client: the rule that the decision is made under.
   *
   * @throws InvalidRequest for an app that is not known, or text that cannot be an id
   */
  allowPerson(site: Site, target: AppTarget, memberId: string, note?: DecisionNote & ExpectedVersion): Promise<void>;
  /** Takes that back, and ends what the person has connected of it. `version` is that of the `AllowedPerson`. */
  resetPerson(
    site: Site,
    target: AppTarget,
    memberId: string,
    expected?: ExpectedVersion,
  ): Promise<{ readonly connections: number }>;
  /**
   * Returns the people for whom the school has decided so, the latest first.
   *
   * @throws InvalidRequest for an app that is not known and for which nobody is decided on
   */
  listPeople(site: Site, target: AppTarget): Promise<readonly AllowedPerson[]>;
}

/** Blocks, which are rules for one client. */
export interface ClientBlocks {
  /**
   * Blocks a client at this school, whatever kind of client it is: all its connections end at once, with all codes and tokens,
   * and nobody can authorize it until `unblock`. It is the rule `{ access: 'blocked' }` (`campus.apps`). Returns how many connections there were. If it fails, call it again: connections
   * that it left end then. An unknown client can be blocked as well.
   *
   * @param note - with the `version` of `campus.apps.find`, as there
   * @throws InvalidRequest for text that cannot be a `client_id`
   */
  block(site: Site, clientId: string, note?: DecisionNote & ExpectedVersion): Promise<{ readonly connections: number }>;
  /** Removes that rule, whatever rule there was before. Returns whether it was blocked. Connections that have ended do not come back. */
  unblock(site: Site, clientId: string, expected?: ExpectedVersion): Promise<boolean>;
  /** Returns the clients that the school has blocked, the latest first. */
  listBlocked(site: Site, query?: ListQuery): Promise<ListPage<BlockedClient>>;
}

/** @param isScope - whether a scope exists @internal */
export function appRule(isScope: (scope: string) => boolean = () => true): z.ZodType {
  const scope = z.string().refine(isScope, 'be a scope, as campus.scopes lists them');
  return group(
    {
      access: z.enum(appAccesses, 'be "allowed", "view_only" or "blocked"'),
      ask: z.boolean('be true or false').nullish(),
      roles: z
        .array(someText(), 'be an array of roles')
        .min(1, 'have a role; block the app if nobody may connect it')
        .nullish(),
      scopes: z
        .array(scope, 'be an array of scopes')
        .min(1, 'have a scope; block the app if it may get none')
        .nullish(),
      pseudonym: z.boolean('be true or false').nullish(),
      limited: z
        .array(someText(), 'be an array of types of boundaries')
        .min(1, 'have a type, or be left out')
        .nullish(),
    } satisfies Shape<AppRule>,
    'be { access, ask, roles, scopes, pseudonym, limited }',
  );
}
