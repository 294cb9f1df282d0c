import type { Site } from '../../host/school-platform.ts';
import type { ListedPermission } from '../../core/access/listed-permission.ts';
import { isKnownAppId, knownApp } from '../../core/known-apps/known-apps.ts';
import type { ServiceDescription } from '../service-description.ts';
import { heading, type Part } from '../guide-parts.ts';

/** Every enabled way to get a `client_id`. Specification: Registration rules. */
export function clientsSection(site: Site, service: ServiceDescription): Part[] {
  const { features, apps } = service;
  const ways = features.flatMap(({ clients }) => clients?.guide(site, service) ?? []);
  const madeBySchoolOnly = 'Clients cannot register themselves here: the school creates them.';
  const rules = apps ? [apps] : [];
  return [
    heading(2, 'Get a client_id'),
    ...rules,
    ...(ways.length > 0 ? ways : [madeBySchoolOnly]),
    ...madeBySchool(site),
  ];
}

/** What the rules of a school say of apps. */
export function appsText(permissions: ReadonlyMap<string, ListedPermission>): string {
  const named = (isMeant: (decision: ListedPermission) => unknown): string =>
    [...permissions].flatMap(([id, each]) => (isKnownAppId(id) && isMeant(each) ? [knownApp(id).name] : [])).join(', ');
  const texts = [
    ['Blocked', named(({ outcome }) => outcome === 'blocked')],
    ['Only for people for whom an administrator has allowed it', named(({ outcome }) => outcome === 'needs_approval')],
    [
      'Identity and `:read` scopes only, until an administrator approves the app',
      named(({ outcome, waiting }) => outcome === 'view_only' && waiting.length > 0),
    ],
    ['Only for people with certain roles', named(({ outcome, rule }) => outcome !== 'blocked' && rule.roles)],
    ['Only some of the scopes', named(({ outcome, rule }) => outcome !== 'blocked' && rule.scopes)],
  ].flatMap(([what, names]) => (names === '' ? [] : [`${what}: ${names}.`]));
  return texts.length === 0 ? '' : `This school has rules for some apps. ${texts.join(' ')}`;
}

function madeBySchool({ connectionsEnabled }: Site): Part[] {
  const how = connectionsEnabled
    ? `They create the client in the school’s admin area (Developers), choose its scopes, and give you the
\`client_id\` and, for a server application, the \`client_secret\`, which is shown once. Then anyone with a role at the school,
students included, can authorize a client for members, and operators one for operators.`
    : 'Connections are not enabled at this school, so administrators cannot create clients at present.';
  return [
    heading(3, 'Ask the school to create the client'),
    `Ask an administrator of the school for a client that acts for members, or for one that acts for operators and has a fixed HTTPS
callback. ${how} There is no self-service way.`,
  ];
}
