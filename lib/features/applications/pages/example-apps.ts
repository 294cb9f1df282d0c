import type { Application } from '../../../core/applications/application.ts';
import type { Site } from '../../../host/school-platform.ts';
import { grantMembersOf, type KnownToClients } from '../../../core/enabled/enabled.ts';
import { paths } from '../../../http/paths.ts';
import { quoted as shell } from '../../../kernel/shell-quotes.ts';

interface Example {
  readonly id: 'curl' | 'javascript' | 'python';
  readonly name: string;
  readonly code: string;
}

/** Apps that sign a person in with an application and show the tokens. They read its secret from the environment. */
export function examplesFor(site: Site, application: Application, known: KnownToClients): Example[] {
  // Nobody writes the signature of an assertion by hand.
  if (application.publicKeys) return [];
  if (application.audience === 'service') return serviceExamples(site, application);
  if (application.redirectUris.length === 0) {
    const given = grantMembersOf(known, application);
    return known.byMember.flatMap(({ clientMember, commands }) =>
      commands && given.includes(clientMember) ? [{ id: 'curl', name: 'curl', code: commands(site, application) }] : [],
    );
  }
  const values = valuesOf(site, application);
  return [
    { id: 'curl', name: 'curl', code: curl(values) },
    { id: 'javascript', name: 'JavaScript (Node.js)', code: javaScript(values) },
    { id: 'python', name: 'Python', code: python(values) },
  ];
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf({ origin }: Site, { clientId, redirectUris, scopes, confidential }: Application) {
  const [redirectUri = ''] = redirectUris;
  // The examples add the parameters of PKCE.
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    resource: origin,
    code_challenge_method: 'S256',
  });
  const authorization = `${origin}${paths.authorize}?${query.toString()}`;
  return { authorization, token: `${origin}${paths.token}`, redirectUri, clientId, resource: origin, confidential };
}

function curl({ authorization, token, redirectUri, clientId, resource, confidential }: Values): string {
  return `VERIFIER=$(openssl rand -hex 32)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')
echo ${shell(authorization)}"&code_challenge=$CHALLENGE"
printf 'Address to which you returned: '
read -r RETURNED
CODE=$(printf %s "$RETURNED" | sed -n 's/.*[?&]code=\\([^&]*\\).*/\\1/p')
curl -sS ${shell(token)} \\
  --data-urlencode grant_type=authorization_code \\
  --data-urlencode "code=$CODE" \\
  --data-urlencode "code_verifier=$VERIFIER" \\
  --data-urlencode ${shell(`redirect_uri=${redirectUri}`)} \\
  --data-urlencode ${shell(`client_id=${clientId}`)} \\${confidential ? '\n  --data-urlencode "client_secret=$CLIENT_SECRET" \\' : ''}
  --data-urlencode ${shell(`resource=${resource}`)}
`;
}

const literal = (text: string): string => JSON.stringify(text);

function javaScript({ authorization, token, redirectUri, clientId, resource, confidential }: Values): string {
  return `import { createHash, randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
console.log(${literal(authorization)} + '&code_challenge=' + challenge);

const lines = createInterface({ input: process.stdin, output: process.stderr });
const returned = new URL(await lines.question('Address to which you returned: '));
lines.close();

const response = await fetch(${literal(token)}, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    code: returned.searchParams.get('code'),
    code_verifier: verifier,
    redirect_uri: ${literal(redirectUri)},
    client_id: ${literal(clientId)},${confidential ? '\n    client_secret: process.env.CLIENT_SECRET,' : ''}
    resource: ${literal(resource)},
  }),
});
console.log(await response.json());
`;
}

function python({ authorization, token, redirectUri, clientId, resource, confidential }: Values): string {
  return `import base64, hashlib, os, secrets, urllib.parse, urllib.request

verifier = secrets.token_urlsafe(32)
digest = hashlib.sha256(verifier.encode()).digest()
challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
print(${literal(authorization)} + "&code_challenge=" + challenge)

returned = input("Address to which you returned: ")
query = urllib.parse.parse_qs(urllib.parse.urlparse(returned).query)
body = urllib.parse.urlencode({
    "grant_type": "authorization_code",
    "code": query["code"][0],
    "code_verifier": verifier,
    "redirect_uri": ${literal(redirectUri)},
    "client_id": ${literal(clientId)},${confidential ? '\n    "client_secret": os.environ["CLIENT_SECRET"],' : ''}
    "resource": ${literal(resource)},
})
with urllib.request.urlopen(${literal(token)}, body.encode()) as response:
    print(response.read().decode())
`;
}

/** Apps that request an access token for a service. */
function serviceExamples({ origin }: Site, { clientId }: Application): Example[] {
  const token = `${origin}${paths.token}`;
  const script = `const response = await fetch(${literal(token)}, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: ${literal(clientId)},
    client_secret: process.env.CLIENT_SECRET,
  }),
});
console.log(await response.json());
`;
  const snake = `import os, urllib.parse, urllib.request

body = urllib.parse.urlencode({
    "grant_type": "client_credentials",
    "client_id": ${literal(clientId)},
    "client_secret": os.environ["CLIENT_SECRET"],
})
with urllib.request.urlopen(${literal(token)}, body.encode()) as response:
    print(response.read().decode())
`;
  const command = `curl -sS ${shell(token)} \\
  --data-urlencode grant_type=client_credentials \\
  --data-urlencode ${shell(`client_id=${clientId}`)} \\
  --data-urlencode "client_secret=$CLIENT_SECRET"
`;
  return [
    { id: 'curl', name: 'curl', code: command },
    { id: 'javascript', name: 'JavaScript (Node.js)', code: script },
    { id: 'python', name: 'Python', code: snake },
  ];
}
