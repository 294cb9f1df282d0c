import * as z from 'zod';
import { type App, type AppSource, appSources } from '../lib/core/access/app.ts';
import type { AccessPolicy, Question } from '../lib/core/access/policy.ts';
import { type AccessRule, hasOne, type RuleText } from '../lib/core/access/rule.ts';
import { type AppKind, appKinds } from '../lib/core/known-apps/app-kind.ts';
import type { Member, Site } from '../lib/host/school-platform.ts';
import { group, list, type Shape, text } from '../lib/kernel/option-schemas.ts';
import { readOptions } from '../lib/kernel/validate.ts';

/** The apps to which a policy applies. An app is only excluded if it is known to be different. */
export interface Which {
  /** @default every kind */
  readonly kind?: AppKind | undefined;
  /** @default every source */
  readonly source?: AppSource | undefined;
  /** The id of a known app. It also matches apps that only claim this id. @default every app */
  readonly app?: string | undefined;
}

/**
 * The people to whom a policy applies: people with one of `roles`, or all except people with one of `except`. It also applies without a
 * person and to a service.
 */
export interface Whom {
  readonly roles?: readonly string[] | undefined;
  /** Roles to exclude. This is the safer choice: the policy also applies to people with a misspelt or new role. */
  readonly except?: readonly string[] | undefined;
}

/**
 * Returns a policy of the form "untrusted unless known": the rule applies unless `known` returns exactly `true`.
 *
 * @param name - what messages call it
 */
export function unless<School extends Site = Site, Person extends Member = Member>(
  known: (question: Question<School, Person>) => boolean | undefined,
  rule: AccessRule,
  name = 'unless',
): AccessPolicy<School, Person> {
  return policyOf(name, known, rule);
}

/** Allows such apps only for people with one of these roles. @throws TypeError for a wrong option */
export function onlyRoles(roles: readonly string[], which: Which = {}): AccessPolicy {
  const named = readOptions(rolesSchema, roles, 'onlyRoles.roles');
  const apps = readOptions(whichSchema, which, 'onlyRoles.which');
  const rule = { roles: named, text: texts.onlyRoles };
  return policyOf('onlyRoles', ({ app }) => isOther(apps, app), rule, named);
}

/** Allows these people only apps with an approved version. @throws TypeError for a wrong option */
export function reviewedOnly(whom: Whom = {}): AccessPolicy {
  const people = readOptions(whomSchema, whom, 'reviewedOnly');
  const rule = { access: 'blocked', text: texts.reviewedOnly } as const;
  const isKnown = (question: Question): boolean => question.app.reviewed || isOtherPerson(people, question);
  return policyOf('reviewedOnly', isKnown, rule, rolesIn(people));
}

/** Limits unverified apps to viewing. */
export function viewOnlyUnlessVerified(): AccessPolicy {
  const rule = { access: 'view_only', text: texts.viewOnlyUnlessVerified } as const;
  return policyOf('viewOnlyUnlessVerified', ({ app }) => app.verified, rule);
}

/** Hides the e-mail address of these people from every app. @throws TypeError for a wrong option */
export function noEmailOf(whom: Whom): AccessPolicy {
  const people = readOptions(whomSchema, whom, 'noEmailOf');
  return {
    name: 'noEmailOf',
    roles: rolesIn(people),
    decide: (question) =>
      isOtherPerson(people, question) || !question.scopes.includes('email')
        ? undefined
        : { scopes: question.scopes.filter((scope) => scope !== 'email') },
  };
}

/** Allows such apps only at these schools, by their ids. @throws TypeError for a wrong option */
export function onlyAtSchools(ids: readonly string[], which: Which = {}): AccessPolicy {
  const schools = readOptions(list(text(), 'be an array of ids'), ids, 'onlyAtSchools.ids');
  const apps = readOptions(whichSchema, which, 'onlyAtSchools.which');
  const rule = { access: 'blocked', text: texts.onlyAtSchools } as const;
  return policyOf('onlyAtSchools', ({ site, app }) => schools.includes(site.id) || isOther(apps, app), rule);
}

function policyOf<School extends Site, Person extends Member>(
  name: string,
  known: (question: Question<School, Person>) => boolean | undefined,
  rule: AccessRule,
  roles: readonly string[] = [],
): AccessPolicy<School, Person> {
  const fixed = Object.freeze({ ...rule });
  return { name, roles, decide: (question) => (known(question) === true ? undefined : fixed) };
}

/** Whether an app is known to be none of those. */
function isOther({ kind, source, app: id }: Which, app: App): boolean {
  return (
    (kind !== undefined && app.kind !== kind && app.verified && appKinds.includes(app.kind)) ||
    (source !== undefined && app.source !== source && appSources.includes(app.source)) ||
    (id !== undefined && app.id !== undefined && app.id !== id)
  );
}

/** Whether this is a person who is known to be none of those. */
function isOtherPerson({ roles, except }: Whom, { member }: Question): boolean {
  if (!member || (!roles && !except)) return false;
  return except ? hasOne(member.roles, except) : !hasOne(member.roles, roles ?? []);
}

function rolesIn({ roles = [], except = [] }: Whom): readonly string[] {
  return [...roles, ...except];
}

const rolesSchema = list(text(), 'be an array of roles');

const whichSchema = group({
  kind: z.enum(appKinds, 'be "assistant", "website" or "service"').optional(),
  source: z.enum(appSources, `be one of ${appSources.join(', ')}`).optional(),
  app: text().optional(),
} satisfies Shape<Which>);

const whomSchema = group({
  roles: rolesSchema.optional(),
  except: rolesSchema.optional(),
} satisfies Shape<Whom>).refine(({ roles, except }) => !roles || !except, 'have roles or except, not both');

const texts = {
  onlyRoles: {
    en: 'Only some people at your school can connect this app.',
    'zh-Hant': '貴校只有部分人員可以連接這個應用程式。',
  },
  reviewedOnly: {
    en: 'Nobody at your school has checked this app yet.',
    'zh-Hant': '貴校尚未有人檢查過這個應用程式。',
  },
  viewOnlyUnlessVerified: {
    en: 'Nobody can check who made this app, so it cannot change anything.',
    'zh-Hant': '無法確認這個應用程式由誰製作，因此它不能更改任何內容。',
  },
  onlyAtSchools: {
    en: 'Your school does not use this app.',
    'zh-Hant': '貴校不使用這個應用程式。',
  },
} as const satisfies Readonly<Record<string, RuleText>>;
