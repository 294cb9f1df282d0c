import type { FindingWhenOff } from '../core/enabled/finding-when-off.ts';
import { knownToClients, type ClientFeature } from '../core/enabled/enabled.ts';
import { type Finding, finder, type FindingTable } from '../kernel/finding.ts';
import { mergedOf } from '../kernel/merged.ts';

/** The findings that belong to the core, not to a feature. */
export const coreFindings = {
  /** The store rejects calls. */
  'store-failing': [
    'error',
    'read the fault events of the store. Until it works, every request that needs it gets 503',
  ],
  /** `keys()` or `siteKeys()` failed when it was last asked. */
  'keys-failing': ['error', 'repair the function. Until it works, the last keys that it returned stay in use'],
  /** `keys.signing` is empty. */
  'keys-none-signing': ['warning', 'add a private key to keys.signing. Without one, no ID token is issued'],
  /** Only one key exists for a signing algorithm. */
  'keys-no-next': ['info', 'run campus-oidc keys rotate when the key is due. A rotation takes more than an hour'],
  /** A sign-in client asks for `idTokenAlgorithm: 'RS256'`, but the school has no RS256 key. Its ID tokens are signed with ES256. */
  'keys-no-rs256': [
    'warning',
    'add an RSA key next to the ES256 key (campus-oidc keys rotate --alg RS256), or turn RS256 off in the application. A client that expects RS256 cannot sign anyone in',
  ],
  /** Two keys with different ids (`kid`) are the same key. */
  'keys-repeated': ['error', 'generate a separate pair for every key, for example with campus-oidc keys rotate'],
  /** In the last 10 minutes, another process with this store announced cookie secrets or signing keys that this process lacks. */
  'keys-differ': [
    'error',
    'load the same keys in all processes, from one file or secret. Do not generate keys at startup',
  ],
  /** A cookie secret has fewer than 32 characters, or fewer than 10 different ones. */
  'cookies-weak': ['warning', 'use a random secret of 32 bytes, put it first, and remove the weak one after a day'],
  /** A cookie secret is in the list twice. */
  'cookies-repeated': ['warning', 'remove the duplicate'],
  /** `keys.cookies` has more than 3 secrets. */
  'cookies-many': [
    'info',
    'remove secrets that were replaced more than a day ago. Anyone who has one can sign cookies',
  ],
  /** No origin was given, and this process has not served a request yet. */
  'school-none': ['info', 'name a school: --origin https://harbour.example, or campus.diagnose({ origins })'],
  /** `findSite` does not find a school for a given origin. */
  'school-unknown': ['warning', 'return a school for this origin from platform.findSite, or correct the origin'],
  /**
   * `findSite` fails, or the school that it returns has a wrong origin. The origin differs, or is impossible in a request, such as one with
   * a dot at the end.
   */
  'school-failing': ['error', 'repair platform.findSite for this origin'],
  /** The origin of a school is `http:`, but not on this machine. */
  'school-http': ['warning', 'serve the school over https:, and return that origin from platform.findSite'],
  /** The origin of a school is `https:` with a port other than 443, but not on this machine. */
  'school-port': [
    'info',
    'serve the school at port 443 if people use Claude, ChatGPT or another hosted assistant. These only connect to port 443',
  ],
  /** A school has an unknown member whose name is close to a known one that it lacks. */
  'school-spelling': [
    'warning',
    'rename the member in the school that platform.findSite returns. If the member is yours, give it a more distinct name',
  ],
  /** Two schools claim the same origin, at least one with `formerOrigins`. */
  'origin-claimed': [
    'error',
    'remove the origin from formerOrigins of the school that no longer has it. Until then that school gets 503',
  ],
  /** `findSite` does not find a school for one of its former origins. */
  'origin-unanswered': [
    'warning',
    'return the school from platform.findSite for its former origins too. Otherwise apps that only know these lose it',
  ],
  /** An OAuth client sent a request to an origin without a school, and got 404. */
  'origin-unknown': [
    'info',
    'return the school from platform.findSite if the origin belongs to one. Anyone can send a request for any origin',
  ],
  /** A request seemed to use `http:`, but the school at this host uses `https:`, or the other way round. */
  'proxy-protocol': [
    'error',
    'set X-Forwarded-Proto to the protocol of the client in the proxy that ends TLS, and trust that proxy',
  ],
  /** A request came through a proxy that campus-oidc does not trust. */
  'proxy-forgotten': ['error', 'trust the proxy: set app.proxy = true, or call campus.handler({ proxy: true })'],
  /** A member's role differs in upper and lower case from `platform.roles`, an option or the role of another member. */
  'role-spelling': [
    'warning',
    'spell the role the same way in platform.findMember, platform.roles, operatorRoles and adminRoles. Upper and lower case differ',
  ],
  /** `platform.roles` fails for a checked school. */
  'roles-failing': [
    'error',
    'repair platform.roles for this school. Until it works, rules can be neither shown nor set there',
  ],
  /**
   * `operatorRoles` or `adminRoles` has a role that `platform.roles` does not list for any checked school. Or the rule of a school has a
   * role that it does not list for that school (20 at most).
   */
  'role-unknown': [
    'warning',
    'list the role in platform.roles, or remove it from the option or the rule. It does not let anyone in',
  ],
  /** The rule of a school is for an app that is not in `knownApps`, the options or the clients of the school (20 at most). */
  'app-unknown': [
    'warning',
    'set the rule for the right id if this one is wrong or was renamed, and remove this rule with campus.apps.reset. A rule for an unknown id has no effect, even if it blocks. If your own policy admits the app, name the app in apps of that policy',
  ],
  /** The input schema of a tool has a combinator at its root, a reference, definitions or no `properties`. */
  'tool-schema': ['warning', 'change the schema as the text says. Claude Code and Gemini silently omit such a tool'],
  /** `account:read` or `account:write` exists, but no tool requires it, and neither does `memberApi` with the data that it has. */
  'scope-unused': [
    'info',
    'list the scopes that you offer in scopes.only, without this one. Keep it if your own API requires it',
  ],
  /** A tool needs scopes that no client can have with these options. */
  'tool-unreachable': [
    'warning',
    'allow a client to have the scopes: with pages.developers, registration, or scopes of a client in clients',
  ],
} as const;

export const found = finder(coreFindings);

/** Applications that need what is off. */
export function foundOff({ id, fix }: FindingWhenOff, text: string): Finding {
  return { id, severity: 'warning', text, fix };
}

/** What `campus.diagnose()` can find, beside what the store finds. */
export function campusFindings(
  features: readonly (ClientFeature & { readonly findings?: FindingTable })[],
): FindingTable {
  const { grantTypes, authentication, properties } = knownToClients(features);
  const off = [...grantTypes, ...authentication, ...properties].flatMap(({ whenOff }) => whenOff ?? []);
  const whenOff: FindingTable = Object.fromEntries(off.map(({ id, fix }) => [id, ['warning', fix]]));
  return mergedOf([coreFindings, whenOff, ...features.map(({ findings }) => findings)]);
}
