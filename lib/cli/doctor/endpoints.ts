import { textOf, textsOf } from '../../kernel/json.ts';
import { readChallenge } from '../../simulated-clients/mcp.ts';
import { features } from '../../features/features.ts';
import { paths } from '../../http/paths.ts';
import { type Check, type Exam, firstOf, type Problem, verdict, verdictOn } from './exam.ts';
import { adviceOn, answered } from './advice.ts';
import type { Answer } from './probe.ts';

const challengeFix =
  'let this path and its 401 with WWW-Authenticate pass unchanged: a middleware of the application or a proxy handles the path or changes the response';
const passFix =
  'look for a middleware of the application (CORS, security headers, sessions), a proxy, CDN or firewall that changes requests or responses of these paths';
const basicFix =
  'let Authorization and WWW-Authenticate pass unchanged: a middleware of the application or a proxy with a separate password removes them';
const formFix =
  'keep the Content-Security-Policy of these pages: let no middleware of the application (such as helmet), proxy or CDN set another';
const page = 'https://client.example';

export async function* corsChecks({ probe }: Exam): AsyncGenerator<Check> {
  for (const path of [paths.authorizationServer, paths.protectedResource, paths.jwks]) {
    const answer = await probe(path, { headers: { origin: page } });
    const closed = closedProblem(answer);
    const wrong = closed && `scripts may not read ${path}: ${closed}`;
    yield verdict(`cors ${path}`, wrong, `scripts may read ${path}`, adviceOn(answer, passFix));
  }
  const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
  const answer = await probe(paths.token, { method: 'OPTIONS', headers: { origin: page, ...asked } });
  const closed = firstOf(answer.status >= 300 && answered(answer), closedProblem(answer));
  const wrong = closed && `a preflight request for ${paths.token}: ${closed}`;
  yield verdict('cors-preflight', wrong, `scripts may post to ${paths.token}`, adviceOn(answer, passFix));
}

function closedProblem({ headers }: Answer): string | undefined {
  const allowed = headers.get('access-control-allow-origin') ?? 'missing';
  return ['*', page].includes(allowed) ? undefined : `Access-Control-Allow-Origin is ${allowed}`;
}

export async function* cacheChecks({ probe }: Exam): AsyncGenerator<Check> {
  for (const path of [paths.openidConfiguration, paths.jwks]) {
    const answer = await probe(path);
    const { headers } = answer;
    const control = headers.get('cache-control') ?? '';
    const wrong = firstOf(
      headers.getSetCookie().length > 0 &&
        'it sets a cookie, which a cache would give to everyone, or which prevents caching',
      !/\bmax-age=\d/.test(control) && `Cache-Control is ${control || 'missing'}`,
      Number(/\bmax-age=(\d+)/.exec(control)?.[1]) > 3600 && `Cache-Control is ${control}: longer than an hour`,
    );
    const fix = adviceOn(answer, passFix);
    yield verdictOn(path, `cache ${path}`, wrong, 'can be cached, for a short time', fix);
  }
}

/** The endpoints to which a POST is sent without credentials. */
export async function* tokenChecks({ probe, server }: Exam): AsyncGenerator<Check> {
  const token = await probe(paths.token, form({ grant_type: 'authorization_code' }));
  const control = token.headers.get('cache-control') ?? 'missing';
  const wrong = firstOf(
    errorProblem(token, [400, 401]),
    !/\bno-store\b/.test(control) && `Cache-Control is ${control}, not no-store`,
  );
  const fix = adviceOn(token, passFix);
  yield verdictOn(paths.token, 'token', wrong, 'answers errors in JSON, and no cache keeps it', fix);
  for (const { path, id, methods, fields } of basicEndpoints) {
    if (!textsOf(server, methods).includes('client_secret_basic')) continue;
    const basic = await probe(path, { ...form(fields), headers: { authorization: ofUnknown } });
    const lost = basicProblem(basic);
    yield verdictOn(path, id, lost, 'takes HTTP Basic', adviceOn(basic, basicFix));
  }
  const optional = features.flatMap(({ grantType }) => Object.entries(grantType?.endpoints ?? {}));
  const own = optional.flatMap(([name, path]) => (textOf(server, name) === undefined ? [] : [path]));
  for (const path of [paths.revoke, paths.introspect, ...own]) {
    const answer = await probe(path, form({ token: 'none' }));
    const refused = errorProblem(answer, [400, 401]);
    yield verdictOn(path, `endpoint ${path}`, refused, 'answers', adviceOn(answer, passFix));
  }
}

/** Where clients and resource servers may authenticate in `Authorization`: proxies with a password of their own take it away. */
const basicEndpoints = [
  {
    path: paths.token,
    id: 'token-basic',
    methods: 'token_endpoint_auth_methods_supported',
    fields: { grant_type: 'authorization_code' },
  },
  {
    path: paths.introspect,
    id: 'introspection-basic',
    methods: 'introspection_endpoint_auth_methods_supported',
    fields: { token: 'none' },
  },
] as const;

const ofUnknown = `Basic ${Buffer.from('doctor-of-campus-oidc:none').toString('base64')}`;

function basicProblem(answer: Answer): Problem {
  const { status, headers, json } = answer;
  const isRefused = status === 401 && textOf(json, 'error') === 'invalid_client';
  const isBasic = /^basic\b/i.test(headers.get('www-authenticate') ?? '');
  const what = `${answered(answer)} to HTTP Basic of an unknown client, not 401 with a challenge`;
  return !(isRefused && isBasic) && what;
}

function form(fields: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(fields) };
}

export function errorProblem(answer: Answer, expected: readonly number[]): string | undefined {
  const { status, headers, json } = answer;
  const isError = textOf(json, 'error') !== undefined;
  if (expected.includes(status) && isError) return undefined;
  if (isError) return `${answered(answer)}, not ${expected.join(' or ')}`;
  return `it answers ${status} with ${headers.get('content-type') ?? 'no content'}, not an OAuth error`;
}

/** The page where a person would arrive. */
export async function* authorizeChecks({ origin, probe }: Exam): AsyncGenerator<Check> {
  const asked = `${paths.authorize}?client_id=doctor-of-campus-oidc&response_type=code`;
  const answer = await probe(asked);
  // A person gets a page; JSON says which error it is.
  const error = answer.status > 400 ? await probe(asked, { headers: { accept: 'application/json' } }) : answer;
  const location = answer.headers.get('location');
  const control = answer.headers.get('cache-control') ?? 'missing';
  const wrong = firstOf(
    location !== null && `it redirects to ${location}`,
    answer.status !== 400 && `${answered(error)} to an unknown client, not 400`,
    !/no-store|no-cache|private/.test(control) && `Cache-Control is ${control}: caches may keep its pages`,
  );
  const fix = adviceOn(error, passFix);
  yield verdictOn(paths.authorize, 'authorize', wrong, 'refuses an unknown client with a page', fix);
  const policy = answer.headers.get('content-security-policy') ?? '';
  const closed =
    /(?:^|[;,]) *form-action\b/i.test(policy) &&
    `Content-Security-Policy has form-action, so browsers block the redirect back to the application: ${policy}`;
  yield verdictOn(paths.authorize, 'form-action', closed, 'lets forms lead back to applications', formFix);
  const loose = answer.headers
    .getSetCookie()
    .filter((cookie) => !/;\s*httponly/i.test(cookie) || (origin.startsWith('https:') && !/;\s*secure/i.test(cookie)))
    .map((cookie) => cookie.split('=')[0] ?? '');
  const named = loose.length > 0 && `cookies without HttpOnly or Secure: ${loose.join(', ')}`;
  yield verdict('cookies', named, 'cookies are protected', passFix);
}

/** The challenge of each resource, without a token and with a wrong one. RFC 6750 section 3, RFC 9728 section 5.1. */
export async function* challengeChecks({ origin, probe, resources }: Exam): AsyncGenerator<Check> {
  for (const path of [paths.userinfo, ...resources.map((resource) => resource.slice(origin.length))]) {
    const isUserinfo = path === paths.userinfo;
    for (const token of [undefined, 'not-a-token']) {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const answer = await probe(path, isUserinfo ? { headers: authorization } : post(path, authorization));
      if (path === paths.mcp && token === undefined && answer.status === 200) continue;
      const metadata = isUserinfo ? undefined : `${origin}${paths.protectedResource}`;
      const wrong = challengeProblem(answer, metadata, token !== undefined);
      const asked = `${path} ${token === undefined ? 'without a token' : 'with a wrong token'}`;
      const fix = adviceOn(answer, challengeFix);
      yield verdictOn(asked, `challenge ${asked}`, wrong, 'says where to sign in', fix);
    }
  }
}

function challengeProblem(answer: Answer, metadata: string | undefined, isWrong: boolean): Problem {
  const { status, headers } = answer;
  const header = headers.get('www-authenticate') ?? 'missing';
  const named = readChallenge(headers).metadata;
  return firstOf(
    status !== 401 && `${answered(answer)}, not 401`,
    !/^bearer\b/i.test(header) && `WWW-Authenticate is ${header}`,
    isWrong && !header.includes('invalid_token') && `WWW-Authenticate does not say invalid_token: ${header}`,
    metadata !== undefined && named?.startsWith(metadata) !== true && `resource_metadata is ${named ?? 'missing'}`,
  );
}

function post(path: string, headers: Record<string, string>): RequestInit {
  const body = path === paths.memberGraphql ? { query: '{ __typename }' } : message('2025-11-25');
  return { method: 'POST', headers: { ...mcpHeaders('2025-11-25'), ...headers }, body: JSON.stringify(body) };
}

/** The tools without a token, in both revisions. MCP: Lifecycle, Streamable HTTP. */
export async function* mcpChecks({ origin, probe, resources }: Exam): AsyncGenerator<Check> {
  if (!resources.includes(`${origin}${paths.mcp}`)) {
    yield { id: 'mcp', mark: 'skipped', text: 'there are no tools' };
    return;
  }
  for (const revision of ['2025-11-25', '2026-07-28']) {
    const init = { method: 'POST', headers: mcpHeaders(revision), body: JSON.stringify(message(revision)) };
    const answer = await probe(paths.mcp, init);
    const { status, text } = answer;
    const speaks = status === 401 || (status === 200 && text.includes('"result"'));
    const wrong = !speaks && `${answered(answer)} in the revision ${revision}`;
    yield verdictOn(paths.mcp, `mcp ${revision}`, wrong, `speaks the revision ${revision}`, adviceOn(answer, passFix));
  }
}

function mcpHeaders(revision: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    ...(revision === '2026-07-28' && { 'mcp-method': 'tools/list' }),
  };
}

function message(revision: string): object {
  const clientInfo = { name: 'campus-oidc doctor', version: '1' };
  const request = { jsonrpc: '2.0', id: 1 };
  if (revision === '2025-11-25') {
    return { ...request, method: 'initialize', params: { protocolVersion: revision, capabilities: {}, clientInfo } };
  }
  const meta = { protocolVersion: revision, clientInfo, clientCapabilities: {} };
  const named = Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]);
  return { ...request, method: 'tools/list', params: { _meta: Object.fromEntries(named) } };
}
