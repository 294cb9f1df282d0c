import type { IdTokenAlgorithm } from '../../core/keys/keys.ts';
import type { Site } from '../../host/school-platform.ts';
import { authorizeParameters } from '../request-parameters.ts';
import { authorizationCode, type GrantType, refreshToken } from '../../core/enabled/grant-type.ts';
import type { Enabled } from '../../core/enabled/enabled.ts';
import { paths } from '../../http/paths.ts';
import type { RequestParameter } from '../../kernel/request-parameter.ts';
import { identityScopes } from '../../core/scopes/scopes.ts';
import type { ServiceDescription } from '../service-description.ts';
import { duration, heading, list, type Part, shell, table } from '../guide-parts.ts';

/** Arguments of curl that send the secret of a confidential client, if the variable is set. They work in every shell. */
const secret = '${CLIENT_SECRET:+--data-urlencode} ${CLIENT_SECRET:+"client_secret=$CLIENT_SECRET"}';

/** The whole flow, with commands for one shell session. Specification: Flow 1 and 2. */
export function flowSection({ origin }: Site, { lifetimes, idTokenAlgorithms, enabled }: ServiceDescription): Part[] {
  const signs = idTokenAlgorithms.length > 0;
  return [
    heading(2, 'The flow'),
    `The authorization code flow with PKCE, method S256 only. Public clients have no secret. Confidential clients send theirs in
the form field \`client_secret\` of every request that has the field \`client_id\`.${otherWays(enabled)}`,
    `The commands need \`curl\` and \`openssl\`. Run them in one shell session: each block uses variables that earlier blocks set.
No command prompts for input. Unless you registered above, set \`CLIENT_ID\` first. If your client needs other values than the
defaults, also set \`CLIENT_SECRET\`, \`REDIRECT_URI\` and \`SCOPE\`. The secret is sent only if it is set.`,
    shell(`
ORIGIN=${origin}
: "\${CLIENT_ID:?set it to your client_id}"
: "\${REDIRECT_URI:=http://127.0.0.1:8123/callback}"
: "\${SCOPE:=${identityScopes.join(' ')}}"`),
    heading(3, '1. Send the person to the authorization endpoint'),
    shell(`
VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
encode() { printf %s "$1" | sed 's/%/%25/g; s/ /%20/g; s/:/%3A/g; s/&/%26/g; s/+/%2B/g; s/#/%23/g; s/?/%3F/g; s/=/%3D/g'; }
QUERY="response_type=code&client_id=$(encode "$CLIENT_ID")&redirect_uri=$(encode "$REDIRECT_URI")"
QUERY="$QUERY&scope=$(encode "$SCOPE")&resource=$(encode "$ORIGIN")&state=$STATE"
QUERY="$QUERY&code_challenge=$CHALLENGE&code_challenge_method=S256"
echo "$ORIGIN${paths.authorize}?$QUERY"`),
    `Open the printed URL in a browser. A page opens it in a window or tab: it cannot be shown in a frame. The person signs in, sees the requested access and allows it. The browser is then
redirected to the redirect URI with \`code\`, \`state\` and \`iss\`. If nothing listens there, the browser shows an error such as
“connection refused”, and the code is in the address bar. Check that \`state\` is the value that you sent and that \`iss\` is
\`${origin}\` (RFC 9207). If access is denied, the redirect URI gets \`error\` and \`error_description\` instead of \`code\`.`,
    parameterTable(authorizeParameters),
    'A form that the browser posts to the endpoint, with these parameters as its fields, is the same request.',
    heading(3, '2. Redeem the code'),
    `Set \`CODE\` to the \`code\` parameter of the redirect URI. A code is valid for ${duration(lifetimes.authorizationCode)} and can be
redeemed once. If it is sent again, all tokens that came of it are revoked.`,
    shell(`
: "\${CODE:?set it to the code parameter of the redirect URI}"
TOKENS=$(curl -s "$ORIGIN${paths.token}" -d grant_type=authorization_code \\
  --data-urlencode "code=$CODE" --data-urlencode "redirect_uri=$REDIRECT_URI" --data-urlencode "client_id=$CLIENT_ID" \\
  --data-urlencode "code_verifier=$VERIFIER" --data-urlencode "resource=$ORIGIN" \\
  ${secret})
member() { printf %s "$TOKENS" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
ACCESS_TOKEN=$(member access_token)
REFRESH_TOKEN=$(member refresh_token)
echo "$TOKENS"`),
    formTable(authorizationCode, enabled),
    `The response contains \`access_token\` (${duration(lifetimes.accessToken)}), \`refresh_token\` and \`scope\`, which may be narrower than
requested. ${signs ? 'If `openid` was granted, it also contains `id_token`' : 'This school does not issue ID tokens; use UserInfo instead'}.`,
    heading(3, '3. Call the API'),
    'Send the token in the `Authorization` header, never in a URL.',
    shell(`curl -s "$ORIGIN${paths.userinfo}" -H "Authorization: Bearer $ACCESS_TOKEN"`),
    heading(3, '4. Refresh'),
    `The response contains a new refresh token: store it and discard the one that you sent. ${refreshGrace(lifetimes.refreshGrace)} A
refresh token that is not used expires after ${duration(lifetimes.refreshToken)}, the person’s consent after ${duration(lifetimes.grant)}.
The response contains no \`id_token\`. It has all that the person allows by now, unless \`scope\` leaves out what they allowed at first: then
it has what you name.`,
    shell(`
TOKENS=$(curl -s "$ORIGIN${paths.token}" -d grant_type=refresh_token \\
  --data-urlencode "refresh_token=$REFRESH_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret})
ACCESS_TOKEN=$(member access_token)
REFRESH_TOKEN=$(member refresh_token)
echo "$TOKENS"`),
    formTable(refreshToken, enabled),
  ];
}

function otherWays({ authentication }: Enabled): string {
  const ways = authentication.flatMap(({ isOptional, how }) => (isOptional && how !== undefined ? how : []));
  return ways.map((how) => ` They can also authenticate ${how}.`).join('');
}

/** Introspection and revocation. Specification: Audience binding 3; OAuth endpoints. */
export function disconnectSection(): Part[] {
  return [
    heading(2, 'Introspect a token and sign out'),
    `\`POST ${paths.introspect}\` (RFC 7662) returns information about the client’s own tokens: whether a token is active, its person
(\`sub\`), its scopes and the origin to which it is bound (\`aud\`).`,
    shell(`
curl -s "$ORIGIN${paths.introspect}" -d "token=$ACCESS_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret}`),
    `Revoking either token revokes all tokens that came of the same code, and so signs out one device. Other devices of the person
stay connected; the person can disconnect all of them.`,
    shell(`
curl -s -o /dev/null -w '%{http_code}\\n' "$ORIGIN${paths.revoke}" \\
  -d "token=$REFRESH_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret}`),
  ];
}

function refreshGrace(seconds: number): string {
  if (seconds === 0) return 'Using a refresh token twice revokes all tokens that came of the same code.';
  return `Repeating the same request within ${duration(seconds)} returns the same response; using the old token later
revokes all tokens that came of the same code.`;
}

/** Specification: ID token verification. */
export function idTokenSection({ origin }: Site, algorithms: readonly IdTokenAlgorithm[]): Part[] {
  const [first, ...others] = algorithms;
  const unlessAsked = others.length > 0 ? `, or ${others.join(' or ')} for an application that is set up for it` : '';
  const checks = [
    `\`iss\` is \`${origin}\`.`,
    '`aud` is your `client_id`.',
    '`exp` is in the future; an ID token is valid for 10 minutes.',
    '`nonce` is the value that you sent, if you sent one.',
    `The signature (${first}${unlessAsked}) is valid for the key at ${origin}${paths.jwks} that \`kid\` names.`,
  ];
  return [
    heading(2, 'Check the ID token'),
    list(checks, true),
    `Keys can be published before they are used for signing, so the key set alone does not mean that ID tokens are issued. While
the metadata does not list \`id_token_signing_alg_values_supported\`, use UserInfo, which returns the same claims.`,
  ];
}

export function formTable({ parameters }: GrantType, { clientParameters }: Enabled): Part {
  return parameterTable([...parameters, ...clientParameters]);
}

export function parameterTable(parameters: readonly RequestParameter[]): Part {
  const rows = parameters.map(({ name, required, text, values, maxLength }) => {
    const demand = values ? ` Must be \`${values.join('` or `')}\`.` : maxLength && ` At most ${maxLength} characters.`;
    return [`\`${name}\``, required ? 'yes' : 'no', `${text}${demand ?? ''}`];
  });
  return table(['parameter', 'required', 'description'], rows);
}
