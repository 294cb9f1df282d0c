import type { Site } from '../../contracts/member.ts';
import { authorizeParameters, type RequestParameter, tokenParameters } from '../request-parameters.ts';
import { paths } from '../../protocol/paths.ts';
import { defaultScopes } from '../../protocol/scopes.ts';
import type { ServiceDescription } from '../service-description.ts';
import { shellBlock } from './shell.ts';
import { duration } from './tables.ts';

/** What a confidential client adds to a form; nothing where there is no secret, in every shell. */
const secret = '${CLIENT_SECRET:+--data-urlencode} ${CLIENT_SECRET:+"client_secret=$CLIENT_SECRET"}';

/** The whole flow, with commands for one shell. Specification: Flow 1 and 2. */
export function flowSection({ origin }: Site, { lifetimes, signs }: ServiceDescription): string {
  return `## The flow

Authorization code with PKCE, method S256 only; public clients have no secret, confidential ones send theirs as
\`client_secret\` in the body, wherever \`client_id\` is posted.

The commands need \`curl\` and \`openssl\`, and one shell: each block uses what those above it have set. None of them asks for
anything. Set \`CLIENT_ID\` first, unless you registered above, and whatever else differs for your client: \`CLIENT_SECRET\`,
\`REDIRECT_URI\`, \`SCOPE\`. A secret is sent where there is one.

${shellBlock(`
ORIGIN=${origin}
: "\${CLIENT_ID:?set it to your client_id}"
: "\${REDIRECT_URI:=http://127.0.0.1:8123/callback}"
: "\${SCOPE:=${defaultScopes.join(' ')}}"`)}

### 1. Send the person to the authorization endpoint

${shellBlock(`
VERIFIER=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=')
STATE=$(openssl rand -hex 16)
encode() { printf %s "$1" | sed 's/%/%25/g; s/ /%20/g; s/:/%3A/g; s/&/%26/g; s/+/%2B/g; s/#/%23/g; s/?/%3F/g; s/=/%3D/g'; }
QUERY="response_type=code&client_id=$(encode "$CLIENT_ID")&redirect_uri=$(encode "$REDIRECT_URI")"
QUERY="$QUERY&scope=$(encode "$SCOPE")&resource=$(encode "$ORIGIN")&state=$STATE"
QUERY="$QUERY&code_challenge=$CHALLENGE&code_challenge_method=S256"
echo "$ORIGIN${paths.authorize}?$QUERY"`)}

Open the address in a browser. The person signs in, sees what is asked for, and allows it. The browser ends at the
redirect URI, with \`code\`, the \`state\` that was sent, and \`iss\`. Where nothing listens there, it says something like
“connection refused”, and that is fine: the code is in the address bar. Check that \`state\` is yours and that \`iss\` is
\`${origin}\` (RFC 9207). A refusal has \`error\` and \`error_description\` instead.

${table(authorizeParameters)}

### 2. Redeem the code

Set \`CODE\` to the \`code\` of the address that the browser ended at. A code lives ${duration(lifetimes.authorizationCode)} and
can be redeemed once; used twice, all that came of it is revoked.

${shellBlock(`
: "\${CODE:?set it to the code of the address that the browser ended at}"
TOKENS=$(curl -s "$ORIGIN${paths.token}" -d grant_type=authorization_code \\
  --data-urlencode "code=$CODE" --data-urlencode "redirect_uri=$REDIRECT_URI" --data-urlencode "client_id=$CLIENT_ID" \\
  --data-urlencode "code_verifier=$VERIFIER" --data-urlencode "resource=$ORIGIN" \\
  ${secret})
member() { printf %s "$TOKENS" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
ACCESS_TOKEN=$(member access_token)
REFRESH_TOKEN=$(member refresh_token)
echo "$TOKENS"`)}

${table(tokenParameters.authorization_code)}

The answer has \`access_token\` (${duration(lifetimes.accessToken)}), \`refresh_token\` and \`scope\`, which may be less than you asked
for${signs ? ', and with the scope `openid` an `id_token`' : '. There is no ID token here: ask UserInfo'}.

### 3. Call

The token goes into the header, never into an address.

${shellBlock(`
curl -s "$ORIGIN${paths.userinfo}" -H "Authorization: Bearer $ACCESS_TOKEN"`)}

### 4. Refresh

The answer has a new refresh token: keep it, and forget the one you sent. ${refreshGrace(lifetimes.refreshGrace)} A refresh
token that nobody uses lives ${duration(lifetimes.refreshToken)}, the person’s consent ${duration(lifetimes.grant)}. There is no
\`id_token\` in this answer.

${shellBlock(`
TOKENS=$(curl -s "$ORIGIN${paths.token}" -d grant_type=refresh_token \\
  --data-urlencode "refresh_token=$REFRESH_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret})
ACCESS_TOKEN=$(member access_token)
REFRESH_TOKEN=$(member refresh_token)
echo "$TOKENS"`)}

${table(tokenParameters.refresh_token)}`;
}

/** Introspection and revocation. Specification: Audience binding 3; OAuth endpoints. */
export function disconnectSection(): string {
  return `## Ask what a token stands for, and disconnect

\`POST ${paths.introspect}\` (RFC 7662) tells a client about its own tokens: whether they are of use, for whom, with which
scopes, and the origin that they are bound to (\`aud\`).

${shellBlock(`
curl -s "$ORIGIN${paths.introspect}" -d "token=$ACCESS_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret}`)}

Revoking either token ends the connection, with everything that came of it.

${shellBlock(`
curl -s -o /dev/null -w '%{http_code}\\n' "$ORIGIN${paths.revoke}" \\
  -d "token=$REFRESH_TOKEN" --data-urlencode "client_id=$CLIENT_ID" \\
  ${secret}`)}`;
}

function refreshGrace(seconds: number): string {
  if (seconds === 0) return 'Sent twice, it ends the connection.';
  return `Sent twice, unchanged, within ${duration(seconds)}, it gets the same answer; later it ends the connection.`;
}

/** How an ID token is checked. Specification: ID token verification. */
export function idTokenSection({ origin }: Site): string {
  return `## Check the ID token

1. \`iss\` is \`${origin}\`.
2. \`aud\` is your \`client_id\`.
3. \`exp\` is in the future; an ID token lives 10 minutes.
4. \`nonce\` is the one that you sent, if you sent one.
5. The signature is ES256, by the key of ${origin}${paths.jwks} that \`kid\` names.

Keys can be published before they sign, so a key set alone promises nothing: while the metadata lists no
\`id_token_signing_alg_values_supported\`, there are no ID tokens, and UserInfo says who it is, with the same claims.`;
}

function table(parameters: readonly RequestParameter[]): string {
  const rows = parameters.map(
    ({ name, required, text, values }) =>
      `| \`${name}\` | ${required ? 'yes' : 'no'} | ${text}${values ? ` \`${values.join('`, `')}\`.` : ''} |`,
  );
  return `| parameter | required | |\n| --- | --- | --- |\n${rows.join('\n')}`;
}
