import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type { Lifetimes } from '../contracts/limits.ts';
import { type CheckedKeys, unusedKey } from '../protocol/keys.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { parameterRules } from './parameters.ts';

/** Cookies have other names and attributes where a site is reached by https. */
export type SiteProtocol = 'http:' | 'https:';

interface SettingsOptions {
  readonly lifetimes: Lifetimes;
  readonly catalogue: ScopeCatalogue;
}

/** Keys, algorithms, lifetimes, cookies and parameters. */
export function engineSettings(
  { lifetimes, catalogue }: SettingsOptions,
  keys: CheckedKeys,
  protocol: SiteProtocol,
): Pick<Configuration, 'jwks' | 'enabledJWA' | 'ttl' | 'cookies' | 'extraParams'> {
  return {
    jwks: keySet(keys),
    enabledJWA: algorithms,
    ttl: timeToLive(lifetimes),
    extraParams: parameterRules(catalogue),
    cookies: cookies(protocol === 'https:'),
  };
}

function keySet({ signing, published }: CheckedKeys): Configuration['jwks'] & object {
  const verifying = published.filter((key) => key.d !== undefined);
  return { keys: signing.length > 0 ? [...signing, ...verifying] : [unusedKey()] };
}

/** ID tokens are signed; nothing else is signed or encrypted. */
const algorithms: Required<NonNullable<Configuration['enabledJWA']>> = {
  idTokenSigningAlgValues: ['ES256'],
  idTokenEncryptionAlgValues: [],
  idTokenEncryptionEncValues: [],
  requestObjectSigningAlgValues: [],
  requestObjectEncryptionAlgValues: [],
  requestObjectEncryptionEncValues: [],
  userinfoSigningAlgValues: [],
  userinfoEncryptionAlgValues: [],
  userinfoEncryptionEncValues: [],
  introspectionSigningAlgValues: [],
  introspectionEncryptionAlgValues: [],
  introspectionEncryptionEncValues: [],
  authorizationSigningAlgValues: [],
  authorizationEncryptionAlgValues: [],
  authorizationEncryptionEncValues: [],
  clientAuthSigningAlgValues: [],
  dPoPSigningAlgValues: [],
  attestSigningAlgValues: [],
};

/** The keys are in `engine-patches.ts`. */
function cookies(secure: boolean): Configuration['cookies'] & object {
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax', overwrite: true } as const;
  return {
    names: {
      session: `${secure ? '__Host-' : ''}campus_session`,
      interaction: `${secure ? '__Secure-' : ''}campus_interaction`,
      resume: `${secure ? '__Secure-' : ''}campus_resume`,
    },
    long: { ...cookie, path: '/' },
    short: cookie,
  };
}

function timeToLive(lifetimes: Lifetimes): Configuration['ttl'] & object {
  return {
    AccessToken: withinGrant(lifetimes.accessToken),
    AuthorizationCode: lifetimes.authorizationCode,
    Grant: lifetimes.grant,
    IdToken: 600,
    // Anyone can start one, so it is short until someone is signed in.
    Interaction: ({ oidc }) => (oidc.session?.accountId === undefined ? lifetimes.signIn : lifetimes.interaction),
    RefreshToken: withinGrant(lifetimes.refreshToken),
    // It joins the platform's session at each authorization request, so it need not live long. Until someone is signed in it
    // only belongs to an interaction.
    Session: (_ctx, { accountId }) => (accountId === undefined ? lifetimes.signIn : 24 * 60 * 60),
  };
}

/** No token outlives its grant. */
function withinGrant(lifetime: number): (ctx: KoaContextWithOIDC) => number {
  return ({ oidc }) => Math.max(1, Math.min(lifetime, oidc.entities.Grant?.remainingTTL ?? lifetime));
}
