import type { FindingWhenOff } from '../core/enabled/finding-when-off.ts';
import { knownToClients, type ClientFeature } from '../core/enabled/enabled.ts';
import { type Finding, finder, type FindingTable } from '../kernel/finding.ts';
import { mergedOf } from '../kernel/merged.ts';

/** What is not about a feature. */
export const coreFindings = {
  'store-failing': ['error', 'look at the faults of the store; every request that needs it gets 503'],
  'keys-failing': ['error', 'repair the function; until it works, the last keys that it returned are in use'],
  'keys-none-signing': ['warning', 'put a private key into keys.signing, or no ID token is issued'],
  'keys-no-next': [
    'info',
    'begin a rotation with campus-oidc keys rotate when the key is due: it takes an hour and more',
  ],
  'keys-no-rs256': [
    'warning',
    'put an RSA key beside the ES256 key (campus-oidc keys rotate --alg RS256), or switch RS256 off in the application: a client that expects RS256 cannot sign anyone in',
  ],
  'keys-repeated': ['error', 'give every key its own pair; campus-oidc keys rotate makes one'],
  'keys-differ': ['error', 'give all processes the same keys, from one file or secret, and make none at startup'],
  'cookies-weak': ['warning', 'use a random secret of 32 bytes, put it first, and remove the weak one after a day'],
  'cookies-repeated': ['warning', 'remove the second one'],
  'cookies-many': [
    'info',
    'remove secrets that were replaced more than a day ago: anyone who has one can sign cookies',
  ],
  'school-none': ['info', 'name a school: --origin https://harbour.example, or campus.diagnose({ origins })'],
  'school-unknown': ['warning', 'return a school for this origin from platform.findSite, or ask for the right one'],
  'school-failing': ['error', 'repair platform.findSite for this origin'],
  'school-http': ['warning', 'serve the school over https: and return that origin from platform.findSite'],
  'school-port': [
    'info',
    'serve the school at port 443 if people use Claude, ChatGPT or another hosted assistant: these connect to no other port',
  ],
  'school-spelling': [
    'warning',
    'rename the member in what platform.findSite returns; if it is one of your own, give it a name that is not so near',
  ],
  'origin-claimed': [
    'error',
    'take the origin out of formerOrigins of the school that no longer has it; until then that school gets 503',
  ],
  'origin-unanswered': [
    'warning',
    'return the school from platform.findSite for its former origins too, or apps that know only these lose it',
  ],
  'origin-unknown': [
    'info',
    'return the school of this origin from platform.findSite, if there is one; any caller can ask for any origin',
  ],
  'proxy-protocol': [
    'error',
    'let the proxy that ends TLS set X-Forwarded-Proto to the protocol of the client, and say that the proxy is trusted',
  ],
  'proxy-forgotten': ['error', 'say that the proxy is trusted: app.proxy = true, or campus.handler({ proxy: true })'],
  'role-spelling': [
    'warning',
    'write the role in one way, in platform.findMember, platform.roles, operatorRoles and adminRoles: upper and lower case differ',
  ],
  'roles-failing': ['error', 'repair platform.roles for this school; until it works, no rule is shown or set there'],
  'role-unknown': [
    'warning',
    'list the role in platform.roles, or take it out of the option or the rule: nobody is let in by it',
  ],
  'app-unknown': [
    'warning',
    'if the id is wrong or was renamed, the rule does nothing, even if it blocks: set it for the right id, and remove this one with campus.apps.reset. If a policy of yours admits the app, name it in apps of that policy',
  ],
  'tool-schema': [
    'warning',
    'change the schema as it says: Claude Code and Gemini leave such a tool out of their lists, and tell nobody',
  ],
  'scope-unused': [
    'info',
    'name the scopes that you offer in scopes.only, without this one; keep it if your own API requires it',
  ],
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
