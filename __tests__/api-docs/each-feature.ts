import { clientCredentials, deviceAuthorization } from '../../lib/grant-types.ts';
import { dpop } from '../../lib/dpop.ts';
import { storedLog } from '../../lib/log.ts';
import { deviceGrant } from '../../lib/features/device/names.ts';
import { loopbackClients, metadataDocuments } from '../../policies/index.ts';
import { signingKey } from '../helpers/keys.ts';
import type { SchoolsOptions } from '../helpers/schools.ts';
import { everything, little } from './configurations.ts';

const boundary = { type: 'class', name: 'Classes', scopes: ['courses:read'], list: () => ({ items: [], total: 0 }) };
const grants = { client_credentials: clientCredentials(), [deviceGrant]: deviceAuthorization() };

/** What switches a feature on, by the name of its option, grant type or client authentication. */
const switches = {
  registration: { registration: [loopbackClients()] },
  metadataDocuments: { metadataDocuments: metadataDocuments({ hosts: ['claude.ai'] }) },
  client_credentials: { grants: [grants.client_credentials] },
  [deviceGrant]: { grants: [grants[deviceGrant]] },
  client_secret_basic: { clientAuthentication: ['client_secret_basic'] },
  private_key_jwt: { clientAuthentication: ['private_key_jwt'] },
  dpop: { dpop: dpop() },
  logout: { logout: { endSession: () => undefined } },
  boundaries: { boundaries: [boundary] },
  pseudonyms: { pseudonyms: { key: 'a key of pseudonyms that never changes' } },
  log: { log: storedLog() },
} satisfies Readonly<Record<string, SchoolsOptions['campus']>>;

/** The names of the features that can be switched on alone. */
export const switchable: readonly string[] = Object.keys(switches);

const published = await signingKey('next');
const all = everything();
const graphiql = { graphiql: true, renderGraphiQL: () => '<!doctype html>' };

/** Fields that need no scope, which the host has to name beside boundaries. */
const unlimited = ['enrolledCourses', 'digitalProducts', 'consultingServices', 'eventRegistrations'].map(
  (field) => `Viewer.${field}`,
);

/** Each feature that changes a document alone, all together, and none. */
export const eachFeature: Readonly<Record<string, SchoolsOptions>> = {
  nothing: {},
  little,
  ...Object.fromEntries(Object.entries(switches).map(([name, campus]) => [name, { campus }])),
  'the Member API': { memberApi: {} },
  'the Member API with pages for browsers': { memberApi: { ...graphiql, landingPage: true } },
  'the tools': { mcp: all.mcp },
  'the tools, at other addresses': { mcp: { operatorPath: '/tools/staff', memberPath: '/tools/people' } },
  'pages for people': {
    campus: { pages: { developers: '/admin', apps: '/apps', yourApps: '/mine' } },
  },
  'no limits': { campus: { limits: false } },
  'no signing key': { campus: { keys: { signing: [], published: [published], cookies: ['a secret of the tests'] } } },
  'levels of sign-in': { platform: { acrValues: ['urn:example:gold'] } },
  everything: all,
  'everything, with every grant and client authentication': {
    ...all,
    memberApi: { ...all.memberApi, landingPage: true, unlimited },
    platform: { acrValues: ['urn:example:gold'] },
    campus: {
      ...all.campus,
      ...switches.dpop,
      ...switches.logout,
      ...switches.boundaries,
      ...switches.pseudonyms,
      grants: Object.values(grants),
      clientAuthentication: ['client_secret_basic', 'private_key_jwt'],
    },
  },
};
