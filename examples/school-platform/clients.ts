import type { StaticClient } from 'campus-oidc';

const redirectUris = ['http://127.0.0.1/callback'];
const sites = ['harbour'];

export const memberClient: StaticClient = {
  clientId: 'harbour-member-app',
  clientName: 'Harbour Pocket',
  audience: 'member',
  redirectUris,
  scopes: ['openid', 'profile', 'email', 'account:read', 'account:write'],
  sites,
};

export const operatorClient: StaticClient = {
  clientId: 'harbour-reports',
  clientName: 'Harbour Reports',
  audience: 'operator',
  clientSecret: 'demo-secret',
  redirectUris,
  scopes: ['openid', 'profile', 'email', 'courses:read', 'students:read', 'orders:read'],
  sites,
};

/** Those that can be read and written. */
const areas = [
  'courses',
  'students',
  'members',
  'curriculum',
  'school',
  'appearance',
  'events',
  'membership_plans',
  'coupons',
  'posts',
  'subscriptions',
  'digital_products',
  'lecturers',
  'pages',
];

/** With every scope that operators can allow. */
export const everyScopeClient: StaticClient = {
  clientId: 'harbour-everything',
  clientName: 'Harbour Control Room',
  audience: 'operator',
  redirectUris,
  scopes: [
    'openid',
    'profile',
    'email',
    ...areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
    'analytics:read',
    'orders:read',
    'comments:read',
    'storage:write',
    'forms:read',
  ],
  sites,
};

/** The platform's own applications. They exist at Harbour School only. */
export const demoClients: readonly StaticClient[] = [memberClient, operatorClient, everyScopeClient];
