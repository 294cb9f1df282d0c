import type { Pending } from './row.ts';

/** A sentence: its id, where it stands, what it says. */
type Line = readonly [id: string, section: string, sentence: string];

const developers: readonly Line[] = [
  [
    'bbed',
    'Authentication: Registration rules 5',
    'MUST let an operator create a member client in the admin area (Developers, OAuth applications)',
  ],
  ['bcb8', 'Authentication: Registration rules 5', 'MUST show that area once connections are enabled for the site'],
];

const memberApi: readonly Line[] = [
  ['7b53', 'What the service does 3', 'MUST offer the Member API as GraphQL at /member/graphql'],
  ['b4cc', 'Resources: Viewer', 'MUST be the signed-in member'],
  ['75f3', 'Resources: Viewer, id', 'MUST be the member’s identifier'],
  ['ddb2', 'Resources: Viewer, name', 'MUST be the member’s name'],
  ['fd81', 'Resources: Viewer, email', 'MUST be the member’s e-mail address'],
  ['1bdb', 'Resources: Viewer, schools', 'MUST be every site at which the viewer has a role, with the role names'],
  ['d7d3', 'Resources: Viewer, enrolledCourses', 'MUST be a connection that takes `first` and has `nodes`'],
  ['bc0b', 'Resources: Viewer, enrolledCourses.slug', 'MUST be the course’s slug'],
  ['168e', 'Resources: Viewer, enrolledCourses.expireDate', 'MUST be when access to the course ends'],
  ['a1a0', 'Resources: Viewer, enrolledCourses.hasLifetimeAccess', 'MUST be whether access never ends'],
  [
    'f58a',
    'Resources: Viewer, enrolledCourses.lastWatchedLecture',
    'MUST have `lectureId`, and `positionSeconds` in seconds',
  ],
  ['eb04', 'Resources: Viewer, digitalProducts', 'MUST be a connection of the digital products bought'],
  ['f51b', 'Resources: Viewer, consultingServices', 'MUST be a connection of the consulting services bought'],
  ['c40c', 'Resources: Viewer, eventRegistrations', 'MUST be a connection of the event registrations'],
  ['8ba5', 'Resources: Viewer, notifications', 'MUST be the member’s inbox, for `account:read`'],
  ['ce18', 'Resources: Viewer, unreadNotificationCount', 'MUST be the number of unread ones, for `account:read`'],
  [
    'bdb4',
    'Resources: Viewer, notificationSubscriptions',
    'MUST be what the member is notified about, for `account:read`',
  ],
  [
    '01c5',
    'Resources: Viewer, rules 1',
    'MUST NOT carry an order number, coupon code, refund status or invoice in the purchases',
  ],
  [
    'eb25',
    'Endpoints: Member API',
    'MUST take POST with a bearer token and JSON with the text `query`, and answer a GraphQL result',
  ],
  ['13fe', 'Endpoints: Member API, markNotificationRead', 'MUST need `account:write`'],
  ['9d5e', 'Endpoints: Member API, markAllNotificationsRead', 'MUST need `account:write`'],
  ['3648', 'Endpoints: Member API, updateNotificationSubscription', 'MUST need `account:write`'],
  ['6831', 'Endpoints: Admin API', 'MUST have its tokens accepted at /member/graphql'],
  [
    '5746',
    'Authentication: Audience binding 2',
    'MUST answer 401 `invalid_token` at /member/graphql to a token for another origin, with a pointer to the resource metadata',
  ],
  [
    '2026',
    'Authentication: Anonymous and missing tokens 2',
    'MUST answer 401 `invalid_token` at /member/graphql to a request without a token',
  ],
  [
    '4f00',
    'Authentication: Anonymous and missing tokens 3',
    'MUST answer bad tokens and missing scopes at /member/graphql with 401 and 403, and `WWW-Authenticate`',
  ],
  ['a877', 'Errors, 401 invalid_token', 'MUST be the answer to a missing token at /member/graphql'],
];

/** Every sentence that is not built yet, by the part of the work that will bring it. */
export const pending: readonly Pending[] = [...of('pages for operators', developers), ...of('Member API', memberApi)];

function of(area: string, lines: readonly Line[]): Pending[] {
  return lines.map(([id, section, sentence]) => ({ id, section, sentence, area }));
}
