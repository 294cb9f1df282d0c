import {
  examplePaths,
  type ConsentExample,
  type FeatureExamples,
  type Message,
  type Visit,
} from '../features/feature-examples.ts';
import { featureExamples } from '../features/features.ts';
import type { PageBuilder } from '../pages/kit/pages.ts';
import type { Route } from '../http/route.ts';
import { consentExamples } from './consent-examples.ts';
import { componentExamples } from './components.ts';
import { clients, documentUrl, people } from '../pages/example-clients.ts';
import { blockedId, connectionIds, requestIds } from '../pages/example-ids.ts';
import { groupKey } from '../core/applications/request-groups.ts';
import { messages } from './messages.ts';

export type Entry =
  | { readonly visit: Visit }
  | { readonly consent: ConsentExample }
  | { readonly message: Message }
  | { readonly component: () => PageBuilder }
  | { readonly guide: true };

const { developers: apps, apps: school, yourApps: account } = examplePaths;

const newApplication = { route: `${apps}/new`, as: 'operator' } as const;
const application = { route: `${apps}/:id`, id: clients.ofMembers.clientId, as: 'operator' } as const;
const edited = { csrf: '1', redirect_uris: 'https://timer.example/callback', scope: 'openid' };
/** Three people ask for the app that the school has blocked. */
const board = groupKey({ app: 'other', clientName: 'Notice Board', redirectUris: [], connects: blockedId }, () => true);
const ofSchool = { route: school, as: 'operator' } as const;
const ofPerson = { route: `${school}/people`, as: 'operator' } as const;

const visits: Readonly<Record<string, Visit>> = {
  'connected-apps': { route: account, as: 'member' },
  'connected-apps-news': { route: account, as: 'teacher' },
  'connected-apps-none': { route: account, as: 'member', empty: true },
  'connected-apps-search': { route: account, as: 'member', query: 'q=nothing+like+this' },
  'connected-apps-ended': { route: account, as: 'member', empty: true, query: 'count=2&proof=1' },
  'connected-apps-end-all': { route: account, as: 'member', query: 'confirm=all' },
  'connected-apps-no-address': { route: account, as: 'pupil', empty: true },
  'connected-apps-forbidden': { route: account, as: 'nobody' },
  'connected-app': { route: `${account}/:id`, id: connectionIds.timer, as: 'member' },
  'connected-app-added': {
    route: `${account}/:id`,
    id: connectionIds.timer,
    as: 'member',
    query: 'removed=1&added=1&proof=1',
  },
  'connected-app-gone': {
    route: `${account}/:id`,
    id: connectionIds.timer,
    as: 'member',
    form: { csrf: '1', add: 'gone' },
  },
  'connected-app-kept-nothing': { route: `${account}/:id`, id: connectionIds.board, as: 'member', form: { csrf: '1' } },
  'connected-app-withheld': { route: `${account}/:id`, id: connectionIds.board, as: 'member' },
  'connected-app-print': { route: `${account}/:id`, id: connectionIds.timer, as: 'member', query: 'view=print' },
  'connected-app-end': { route: `${account}/:id`, id: connectionIds.timer, as: 'member', query: 'confirm=end' },
  'connected-app-ended': {
    route: `${account}/:id`,
    id: 'gone',
    as: 'member',
    query: 'id=gone&ended=Chess&at=1770000000&devices=2&host=chess.example&proof=1',
  },
  'connected-app-missing': { route: `${account}/:id`, id: 'gone', as: 'member' },
  check: { route: `${account}/check`, as: 'member' },
  'check-waiting': { route: `${account}/check`, as: 'member', empty: true },
  requests: { route: `${account}/requests`, as: 'member' },
  'requests-made': { route: `${account}/requests`, as: 'member', query: 'done=made&proof=1' },
  'requests-problems': { route: `${account}/requests`, as: 'member', form: { csrf: '1' } },
  'requests-off': { route: `${account}/requests`, as: 'member', site: { connectionsEnabled: false } },
  applications: { route: apps, as: 'operator' },
  'applications-none': { route: apps, as: 'operator', empty: true },
  'applications-removed': { route: apps, as: 'operator', query: 'removed=2&proof=1' },
  'applications-off': { route: apps, as: 'operator', site: { connectionsEnabled: false } },
  'applications-forbidden': { route: apps, as: 'member' },
  'applications-asked': { route: `${apps}/asked`, as: 'operator' },
  'applications-asked-all': { route: `${apps}/asked`, as: 'operator', query: `group=${board}` },
  'applications-asked-decline': { route: `${apps}/asked`, as: 'operator', query: `decline=${board}` },
  'applications-declined': { route: `${apps}/asked`, as: 'operator', query: 'declined=LibreChat&people=3&proof=1' },
  'applications-changed': { route: `${apps}/asked`, as: 'operator', form: { csrf: '1', id: requestIds.open } },
  'applications-decided': { route: `${apps}/asked`, as: 'operator', form: { csrf: '1', id: requestIds.granted } },
  'applications-withdrawn': { route: `${apps}/asked`, as: 'operator', form: { csrf: '1', id: 'withdrawn' } },
  'applications-asked-before': { route: `${apps}/asked`, as: 'operator', query: 'status=decided' },
  'applications-asked-none': { route: `${apps}/asked`, as: 'operator', query: 'status=decided', empty: true },
  'application-new': newApplication,
  'application-new-app': { ...newApplication, query: 'audience=operator&app=claude' },
  'application-new-sign-in': { ...newApplication, query: 'for=sign-in&app=moodle' },
  'application-new-sign-in-problems': {
    ...newApplication,
    query: 'for=sign-in&app=nextcloud',
    form: {
      csrf: '1',
      name: 'Nextcloud',
      redirect_uris: 'cloud.example',
      client_uri: 'cloud.example',
      kind: 'confidential',
      scope: ['openid', 'profile', 'email'],
      sign_in_basic: 'yes',
    },
  },
  'application-new-asked': { ...newApplication, query: `request=${requestIds.open}` },
  'application-new-changed': {
    ...newApplication,
    query: `request=${requestIds.open}`,
    form: { ...edited, name: 'Chess Club' },
  },
  'application-problems': {
    ...newApplication,
    form: { csrf: '1', name: '', redirect_uris: 'http://timer.example/callback', client_uri: 'timer.example' },
  },
  'application-created': { ...application, query: 'created=form' },
  'application-secret': { ...application, query: 'rotated=form' },
  'application-secret-gone': { ...application, query: 'rotated=gone' },
  'application-operators': { ...application, id: clients.ofOperators.clientId },
  'application-service': { ...application, id: clients.service.clientId },
  'application-service-rotate': { ...application, id: clients.service.clientId, query: 'confirm=rotate' },
  'application-service-remove': { ...application, id: clients.service.clientId, query: 'confirm=remove' },
  'applications-service-removed': { route: apps, as: 'operator', query: 'removed=service&proof=1' },
  'application-preview': { ...application, query: 'view=consent' },
  'application-edit': application,
  'application-saved': {
    ...application,
    form: (scope) => ({ ...edited, name: 'Study Timer', client_uri: 'https://timer.example/', scope }),
  },
  'application-narrowed': { ...application, form: { ...edited, name: 'Study Timer' } },
  'application-conflict': { ...application, form: { ...edited, version: 'old', name: 'Timer' } },
  'application-rotate': { ...application, query: 'confirm=rotate' },
  'application-rotate-conflict': { ...application, form: { csrf: '1', action: 'rotate' } },
  'application-sent-twice': { ...application, form: { csrf: 'twice', action: 'rotate' } },
  'application-remove': { ...application, query: 'confirm=remove' },
  'application-missing': { ...application, id: 'gone' },
  'application-refused': { route: `${apps}/refused`, as: 'operator' },
  'application-refused-answer': {
    route: `${apps}/refused`,
    as: 'operator',
    form: { csrf: '1', name: 'School Chat', redirect_uris: 'https://chat.example/callback' },
  },
  'form-expired': { ...newApplication, form: { csrf: 'expired' } },
  connections: ofSchool,
  'connections-none': { ...ofSchool, empty: true },
  'connections-forbidden': { route: school, as: 'member' },
  'connections-missing': { ...ofSchool, query: 'client=gone' },
  'connections-client': { ...ofSchool, query: `client=${clients.ofMembers.clientId}` },
  'connections-blocked': { ...ofSchool, query: `client=${blockedId}` },
  'connections-end': { ...ofSchool, query: `client=${clients.ofMembers.clientId}&confirm=end` },
  'connections-allow': { ...ofSchool, query: 'view=allow' },
  'connections-allow-unknown': { ...ofSchool, form: { csrf: '1', action: 'look-up', name: 'Chess Club' } },
  'connections-allow-unreadable': {
    ...ofSchool,
    form: { csrf: '1', action: 'look-up', name: 'https://nothing.example/client.json' },
  },
  'connections-all': { ...ofSchool, query: 'show=all' },
  'connections-tab': { ...ofSchool, query: 'status=view_only' },
  'connections-rule': { ...ofSchool, query: 'app=claude' },
  'connections-rule-any-role': { ...ofSchool, query: 'app=claude', tellsRoles: false },
  'connections-rule-no-role': {
    ...ofSchool,
    form: { csrf: '1', action: 'rule', app: 'claude', access: 'allowed', role: 'teachr' },
  },
  'connections-rule-confirm': {
    ...ofSchool,
    form: { csrf: '1', action: 'rule', app: 'claude', access: 'blocked' },
  },
  'connections-rule-roles': {
    ...ofSchool,
    form: {
      csrf: '1',
      action: 'rule',
      client: clients.ofMembers.clientId,
      access: 'allowed',
      role: ['owner', 'teacher'],
    },
  },
  'connections-rule-note': {
    ...ofSchool,
    form: { csrf: '1', action: 'rule', app: 'claude', access: 'allowed', note: 'x'.repeat(1001) },
  },
  'connections-unused': { ...ofSchool, query: 'confirm=unused' },
  'connections-filtered': { ...ofSchool, query: 'status=blocked&sort=name' },
  'connections-reviews': { ...ofSchool, query: 'review=waiting' },
  'connections-review': { ...ofSchool, query: `client=${documentUrl}` },
  'connections-review-stale': {
    ...ofSchool,
    form: { csrf: '1', action: 'rule', access: 'allowed', client: documentUrl },
  },
  people: { route: `${school}/people`, as: 'operator' },
  'people-none': { route: `${school}/people`, as: 'operator', empty: true },
  'people-forbidden': { route: `${school}/people`, as: 'member' },
  person: { ...ofPerson, query: `person=${people.member.id}` },
  'person-print': { ...ofPerson, query: `person=${people.member.id}&view=print` },
  'person-end-all': { ...ofPerson, query: `person=${people.member.id}&confirm=all` },
  'person-missing': { ...ofPerson, query: 'person=gone' },
  activity: { route: `${school}/activity`, as: 'operator', query: 'sums=yes&from=2026-05-14&to=2026-05-20' },
  'activity-quiet': { route: `${school}/activity`, as: 'operator' },
  'activity-entries': { route: `${school}/activity`, as: 'operator', query: 'kind=all' },
  'activity-dates': { route: `${school}/activity`, as: 'operator', query: 'kind=all&when=dates' },
  'activity-looked-back': { route: `${school}/activity`, as: 'operator', query: 'kind=all&cursor=older' },
  'activity-all': { route: `${school}/activity`, as: 'operator', query: 'all=yes' },
  'activity-of-person': {
    route: `${school}/activity`,
    as: 'operator',
    query: `person=${people.member.id}&client=${clients.ofMembers.clientId}`,
  },
};

const everywhere = (ofFeatures: FeatureExamples): readonly (readonly [name: string, entry: Entry])[] => [
  ...Object.entries({ ...consentExamples, ...ofFeatures.consents }).map(
    ([name, consent]) => [`consent-${name}`, { consent }] as const,
  ),
  ...Object.entries({ ...messages, ...ofFeatures.messages }).map(([name, message]) => [name, { message }] as const),
  ['guide', { guide: true }],
  ...Object.entries(componentExamples).map(([name, component]) => [name, { component }] as const),
];

/** Every page in every state that looks different, by its name. A page without its route is left out. */
export function entriesOf(routes: readonly Route[]): ReadonlyMap<string, Entry> {
  const ofFeatures = featureExamples();
  const on = new Set(routes.map(({ path }) => path));
  const own = Object.entries({ ...visits, ...ofFeatures.visits }).flatMap(([name, visit]) =>
    on.has(visit.route) ? [[name, { visit }] as const] : [],
  );
  // The addresses of the tools are options of their own.
  const assistants = routes
    .filter(({ browserPage }) => browserPage)
    .map(({ path }) => [`assistants${path.replaceAll('/', '-')}`, { visit: { route: path } }] as const);
  return new Map<string, Entry>([...everywhere(ofFeatures), ...own, ...assistants]);
}
