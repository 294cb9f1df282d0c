import type { FindingWhenOff } from '../core/enabled/finding-when-off.ts';
import { knownToClients, type ClientFeature } from '../core/enabled/enabled.ts';
import { type Finding, finder, type FindingTable } from '../kernel/finding.ts';
import { mergedOf } from '../kernel/merged.ts';

/** What is not about a feature. */
export const coreFindings = {
  /** The store rejects. */
  'store-failing': ['error', 'look at the faults of the store; every request that needs it gets 503'],
  /** `keys()` or `siteKeys()` failed when it was last asked. */
  'keys-failing': ['error', 'repair the function; until it works, the last keys that it returned are in use'],
  /** `keys.signing` is empty. */
  'keys-none-signing': ['warning', 'put a private key into keys.signing, or no ID token is issued'],
  /** There is one key only. */
  'keys-no-next': [
    'info',
    'begin a rotation with campus-oidc keys rotate when the key is due: it takes an hour and more',
  ],
  /**
   * A sign-in client has `idTokenAlgorithm: 'RS256'`, as an application of a school or in code, and no RS256 key signs there: it gets
   * ES256.
   */
  'keys-no-rs256': [
    'warning',
    'put an RSA key beside the ES256 key (campus-oidc keys rotate --alg RS256), or switch RS256 off in the application: a client that expects RS256 cannot sign anyone in',
  ],
  /** Two keys with different names are the same key. */
  'keys-repeated': ['error', 'give every key its own pair; campus-oidc keys rotate makes one'],
  /** Another process on the store announced, within the last 10 minutes, cookie secrets or signing keys that this process does not have. */
  'keys-differ': ['error', 'give all processes the same keys, from one file or secret, and make none at startup'],
  /** A secret has fewer than 32 characters, or fewer than 10 different ones. */
  'cookies-weak': ['warning', 'use a random secret of 32 bytes, put it first, and remove the weak one after a day'],
  /** A secret is in the list twice. */
  'cookies-repeated': ['warning', 'remove the second one'],
  /** There are more than 3 secrets. */
  'cookies-many': [
    'info',
    'remove secrets that were replaced more than a day ago: anyone who has one can sign cookies',
  ],
  /** No origin is given, and no request came in this process. */
  'school-none': ['info', 'name a school: --origin https://harbour.example, or campus.diagnose({ origins })'],
  /** `findSite` returns nothing for an origin that was asked for. */
  'school-unknown': ['warning', 'return a school for this origin from platform.findSite, or ask for the right one'],
  /** `findSite` fails, or returns another origin or one that no request can have, for example with a dot at the end. */
  'school-failing': ['error', 'repair platform.findSite for this origin'],
  /** The origin of a school is `http:`, and not this machine. */
  'school-http': ['warning', 'serve the school over https: and return that origin from platform.findSite'],
  /** The origin of a school is `https:` with another port than 443, and not this machine. */
  'school-port': [
    'info',
    'serve the school at port 443 if people use Claude, ChatGPT or another hosted assistant: these connect to no other port',
  ],
  /** A school has a member that the package does not read, with nearly the name of one that it lacks. */
  'school-spelling': [
    'warning',
    'rename the member in what platform.findSite returns; if it is one of your own, give it a name that is not so near',
  ],
  /** Two schools claim one origin, one of them by `formerOrigins`. */
  'origin-claimed': [
    'error',
    'take the origin out of formerOrigins of the school that no longer has it; until then that school gets 503',
  ],
  /** No school is found at a former origin of a school. */
  'origin-unanswered': [
    'warning',
    'return the school from platform.findSite for its former origins too, or apps that know only these lose it',
  ],
  /** A client of OAuth asked at an origin where there is no school, and got 404. */
  'origin-unknown': [
    'info',
    'return the school of this origin from platform.findSite, if there is one; any caller can ask for any origin',
  ],
  /** A request was taken for one over `http:`, and there is a school at the same host over `https:`, or the other way round. */
  'proxy-protocol': [
    'error',
    'let the proxy that ends TLS set X-Forwarded-Proto to the protocol of the client, and say that the proxy is trusted',
  ],
  /** A request came through a proxy that is not trusted. */
  'proxy-forgotten': ['error', 'say that the proxy is trusted: app.proxy = true, or campus.handler({ proxy: true })'],
  /** A role of people is written in another case than in `platform.roles`, in an option or by other people. */
  'role-spelling': [
    'warning',
    'write the role in one way, in platform.findMember, platform.roles, operatorRoles and adminRoles: upper and lower case differ',
  ],
  /** `platform.roles` fails for a school that was looked at. */
  'roles-failing': ['error', 'repair platform.roles for this school; until it works, no rule is shown or set there'],
  /**
   * `operatorRoles` or `adminRoles` has a role that `platform.roles` lists for none of the schools that were looked at, or the rule of a
   * school has one that it does not list for that school (20 at most).
   */
  'role-unknown': [
    'warning',
    'list the role in platform.roles, or take it out of the option or the rule: nobody is let in by it',
  ],
  /** The rule of a school is for an app that `knownApps`, the options and the clients of the school do not have (20 at most). */
  'app-unknown': [
    'warning',
    'if the id is wrong or was renamed, the rule does nothing, even if it blocks: set it for the right id, and remove this one with campus.apps.reset. If a policy of yours admits the app, name it in apps of that policy',
  ],
  /** The input schema of a tool has a combinator at its root, a reference, definitions or no `properties`. */
  'tool-schema': [
    'warning',
    'change the schema as it says: Claude Code and Gemini leave such a tool out of their lists, and tell nobody',
  ],
  /** `account:read` or `account:write` exists, and neither `memberApi`, which has a part of the data, nor a tool requires it. */
  'scope-unused': [
    'info',
    'name the scopes that you offer in scopes.only, without this one; keep it if your own API requires it',
  ],
  /** A tool needs scopes that no client of these options can have. */
  'tool-unreachable': [
    'warning',
    'let a client have the scopes: pages.developers, registration, or scopes of a client in clients',
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
