/**
 * The layers of lib, lowest first, with what their folders are: a file imports from its own layer and from those below. `npm run layers` writes
 * them into `CONTRIBUTING.md`.
 */
export const layers: readonly Readonly<Record<string, string>>[] = [
  { 'kernel/': 'errors, validation, JSON, clock, time limits, without schools and clients' },
  {
    'observe/': 'audit events, faults, telemetry',
    'simulated-clients/': 'apps as data, with their player',
  },
  {
    'records/': 'the store and what is in it',
    'host/': 'the platform and what it returns',
  },
  { 'http/': 'paths, routes, bodies, CORS' },
  { 'core/': 'scopes, keys, what is enabled, limits, clients, decisions, grants, access tokens' },
  {
    'engine/': 'the seam to oidc-provider',
    'i18n/': 'texts',
    'hooks/': 'the hooks of the host',
    'plugin-contract/': 'what plug-ins are',
  },
  { 'pages/': 'what all pages share, consent, activity, set-up' },
  {
    'options/': 'the options',
    'interaction/': 'sign-in and consent',
    'describe/': 'discovery, OpenAPI, guide',
    'member/': 'Member API',
    'mcp/': 'tools',
  },
  { 'features/': 'one folder each, and features.ts, which lists them' },
  { '*': 'the rest: campus.ts, routes, methods of Campus, gallery, campus-oidc/testing, command' },
];

/** The folders of `core/`, lowest first, by the same rule. */
export const coreLayers: readonly string[] = [
  'scopes/',
  'boundaries/',
  'keys/',
  'log/',
  'enabled/',
  'limits/',
  'known-apps/',
  'clients/',
  'outbound/',
  'access/',
  'apps/',
  'applications/',
  'news/',
  'connections/',
  'core.ts',
  'grants/',
  'bearer/',
];

/** What adapters may import of lib. */
export const adapterGround = /^lib\/(?:(?:kernel|records|observe)\/[\w-]+|core\/(?:clients\/client-id))\.ts$/;

/** What policies may import of lib: types, values and pure checks. */
export const policyGround =
  /^lib\/(?:kernel\/|host\/school-platform|core\/(?:access|clients|enabled|keys|known-apps|scopes)\/|core\/outbound\/public-address|features\/(?:registration\/domain\/registration-policy|metadata-documents\/domain\/document-))/;

/** The layer of a path. What is named nowhere composes the rest, and is on top. */
export function layerOf(path: string): number {
  const inside = path.replace(/^lib\//, '');
  const found = layers.findIndex((folders) => Object.keys(folders).some((folder) => inside.startsWith(folder)));
  return found < 0 ? layers.length - 1 : found;
}
