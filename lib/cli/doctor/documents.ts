import { isDeepStrictEqual } from 'node:util';
import { type JsonMembers, objectsOf, textOf, textsOf } from '../../kernel/json.ts';
import { protocolHeader } from '../../http/unknown-origins.ts';
import { paths } from '../../http/paths.ts';
import { adviceOn, answered, documentAdvice } from './advice.ts';
import { type Check, type Exam, firstOf, verdict, verdictOn } from './exam.ts';
import type { Answer, Probe } from './probe.ts';

const proxyFix =
  'let the proxy pass Host on, or X-Forwarded-Host and X-Forwarded-Proto that it sets itself, and say that it is trusted (app.proxy = true)';
const rewriteFix =
  'let these responses pass unchanged; look for a middleware of the application, a proxy or a CDN that rewrites hosts';

const routeFix =
  'let the proxy pass this path to the application, and mount campus before any middleware that answers or redirects';

const protocolFix =
  'let the proxy that ends TLS set X-Forwarded-Proto: https itself, and say that the proxy is trusted (app.proxy = true)';

const answeredAsHttp = 'the proxy answered as http';

/** Whether the application says that it took a request over TLS for one over `http:`. */
function isTakenForHttp(origin: string, { headers }: Answer): boolean {
  return origin.startsWith('https:') && headers.get(protocolHeader) === 'http';
}

/** Why a client cannot use the document. */
export function documentProblem(answer: Answer): string | undefined {
  const { status, headers, json } = answer;
  const location = headers.get('location');
  if (location !== null) return `it redirects to ${location}`;
  if (status !== 200) return answered(answer);
  if (!/^application\/json\b/.test(headers.get('content-type') ?? '')) return `it is ${headers.get('content-type')}`;
  return Object.keys(json).length === 0 ? 'it is not a JSON object' : undefined;
}

/** Metadata of the authorization server, in both places. RFC 8414, OpenID Connect Discovery. */
export async function* metadataChecks(origin: string, probe: Probe): AsyncGenerator<Check, JsonMembers | undefined> {
  const [openid, oauth] = [await probe(paths.openidConfiguration), await probe(paths.authorizationServer)];
  for (const [path, answer] of [
    [paths.openidConfiguration, openid],
    [paths.authorizationServer, oauth],
  ] as const) {
    const taken = isTakenForHttp(origin, answer);
    const wrong = taken ? `${answeredAsHttp} (status ${answer.status})` : documentProblem(answer);
    const fix = taken ? protocolFix : documentAdvice(answer, origin, routeFix);
    yield verdictOn(path, `metadata ${path}`, wrong, 'is there', fix);
  }
  const usable = [oauth, openid].find((answer) => documentProblem(answer) === undefined);
  if (!usable) return undefined;
  const server = usable.json;
  const issuer = textOf(server, 'issuer');
  const plain = issuer === origin.replace('https:', 'http:');
  const other =
    issuer !== origin && `${plain ? `${answeredAsHttp}: ` : ''}the issuer is ${issuer ?? 'missing'}, not ${origin}`;
  yield verdict('issuer', other, `the issuer is ${origin}`, plain ? protocolFix : proxyFix);
  const names = Object.keys({ ...openid.json, ...oauth.json });
  const differ = names.filter((name) => !isEqual(openid.json[name], oauth.json[name])).join(', ');
  const unlike = differ && `the two metadata documents differ in ${differ}`;
  yield verdict('metadata-agree', unlike, 'both metadata documents agree', rewriteFix);
  const away = foreign(server, origin);
  const others = away.length > 0 && `addresses on other hosts: ${away.join(', ')}`;
  yield verdict('addresses', others, 'all addresses are at this origin', rewriteFix);
  const lacking = missing(server).join(', ');
  const lacks = lacking && `the metadata lacks ${lacking}`;
  yield verdict('metadata-complete', lacks, 'the metadata has everything that clients need', rewriteFix);
  return server;
}

function isEqual(a: unknown, b: unknown): boolean {
  try {
    return isDeepStrictEqual(a, b);
  } catch {
    // Nobody's metadata has thousands of levels.
    return false;
  }
}

/** The addresses of a document that are not at the origin. */
function foreign(document: JsonMembers, origin: string): string[] {
  const names = Object.keys(document).filter((name) => /_(?:endpoint|uri)$|^protected_resources$/.test(name));
  return names.flatMap((name) =>
    [document[name]].flat().flatMap((address: unknown) => {
      if (typeof address !== 'string') return [`${name} is not text`];
      return URL.parse(address)?.origin === origin ? [] : [address];
    }),
  );
}

function missing(server: JsonMembers): string[] {
  const endpoints = ['authorization', 'token', 'userinfo', 'revocation', 'introspection'];
  const names = [...endpoints.map((name) => `${name}_endpoint`), 'jwks_uri'];
  const lists = {
    code_challenge_methods_supported: 'S256',
    response_types_supported: 'code',
    token_endpoint_auth_methods_supported: 'none',
  };
  return [
    ...names.filter((name) => textOf(server, name) === undefined),
    ...Object.entries(lists).flatMap(([name, value]) =>
      textsOf(server, name).includes(value) ? [] : [`${value} in ${name}`],
    ),
  ];
}

/** Metadata of each protected resource. RFC 9728 section 3. */
export async function* resourceChecks({ origin, probe, resources }: Exam): AsyncGenerator<Check> {
  for (const resource of [origin, ...resources]) {
    const path = resource.slice(origin.length);
    const answer = await probe(`${paths.protectedResource}${path}`);
    const [named, servers] = [textOf(answer.json, 'resource'), textsOf(answer.json, 'authorization_servers')];
    const lost = documentProblem(answer);
    const wrong = firstOf(
      lost,
      named !== resource && `its resource is ${named ?? 'missing'}, not ${resource}`,
      (servers.length !== 1 || servers[0] !== origin) &&
        `its authorization server is ${servers.join(', ') || 'missing'}`,
    );
    const thing = `the metadata of ${path || 'the origin'}`;
    const fix = lost === undefined ? proxyFix : adviceOn(answer, routeFix);
    yield verdictOn(thing, `resource ${path || '/'}`, wrong, 'names it', fix);
  }
}

export async function* developerChecks({ origin, probe }: Exam): AsyncGenerator<Check> {
  const openApi = await probe(paths.openapi);
  const urls = objectsOf(openApi.json, 'servers').map((server) => textOf(server, 'url'));
  const wrong = firstOf(
    documentProblem(openApi),
    urls[0] !== origin && `its server is ${urls.join(', ') || 'missing'}`,
  );
  yield verdictOn(paths.openapi, 'openapi', wrong, 'describes this origin', adviceOn(openApi, rewriteFix));
  const guide = await probe(paths.guide);
  const lost = firstOf(
    guide.status !== 200 && answered(guide),
    !guide.text.includes(origin) && `it does not name ${origin}`,
  );
  yield verdictOn(paths.guide, 'guide', lost, 'guides agents', adviceOn(guide, rewriteFix));
}
