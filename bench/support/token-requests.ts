import { pkce } from '../../__tests__/helpers/flow.ts';

/** What the benchmarks of the endpoints compare. */
export const kinds = [
  'authorization',
  'exchange',
  'refresh',
  'refresh, openid',
  'refresh, schools',
  'userinfo',
  'introspection',
  'discovery',
] as const;

export type Kind = (typeof kinds)[number];

/** What a contender is asked to prepare. */
export interface Preparation {
  readonly kind: Kind;
  /** How many people, codes or refresh tokens. */
  readonly count: number;
}

export function isPreparation(message: object): message is Preparation {
  return 'kind' in message && kinds.some((kind) => kind === message.kind) && 'count' in message;
}

/** The requests of a round. */
export interface TokenOrder {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** What a browser sends in each request, in turn. @default nothing */
  readonly cookies?: readonly string[];
  /** Forms: each is sent once, and a response with a refresh token makes one more. Empty: the same request over and over. */
  readonly forms: readonly string[];
  /** The `Host` of each form, where it is not that of the address. */
  readonly hosts?: readonly string[];
  /** Requests of the round, instead of seconds. */
  readonly amount?: number;
}

type EndpointName = 'authorization' | 'token' | 'userinfo' | 'introspection' | 'discovery';

/** The endpoints of a contender, and what it needs for a request. */
export interface TokenService {
  readonly endpoints: Readonly<Record<EndpointName, string>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** Those of a resource server. */
  readonly introspecting: Readonly<Record<string, string>>;
  readonly redirectUri: string;
  /** Signs other people in at each call, as many, who have allowed the client. Returns the cookies of each. */
  readonly signIn: (count: number) => Promise<readonly string[]>;
  /** The parameters of an authorization request without a page. */
  readonly silent: Readonly<Record<string, string>>;
  /** Makes a code for the resource; with `openid`; or for UserInfo. */
  readonly code: (what: CodeKind) => Promise<{ readonly code: string; readonly verifier: string }>;
}

export type CodeKind = 'resource' | 'openid' | 'userinfo';

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export async function prepare(service: TokenService, { kind, count }: Preparation): Promise<TokenOrder> {
  const { endpoints, credentials, introspecting, redirectUri } = service;
  const form = (fields: Readonly<Record<string, string>>): string =>
    new URLSearchParams({ ...fields, ...credentials }).toString();
  const exchange = async (what: CodeKind): Promise<string> => {
    const { code, verifier } = await service.code(what);
    return form({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier });
  };
  const tokens = async (body: string): Promise<{ readonly access_token: string; readonly refresh_token: string }> => {
    const response = await fetch(endpoints.token, { method: 'POST', headers: formType, body });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return Object(await response.json());
  };
  const posted = { url: endpoints.token, method: 'POST', headers: formType } as const;
  const renew = async (what: CodeKind): Promise<string> => {
    const { refresh_token: token } = await tokens(await exchange(what));
    return form({ grant_type: 'refresh_token', refresh_token: token });
  };
  const refreshing = async (what: CodeKind): Promise<TokenOrder> => ({
    ...posted,
    forms: await many(100, () => renew(what)),
  });
  const silent = (): string => {
    const parameters = { ...service.silent, client_id: credentials['client_id'] ?? '', redirect_uri: redirectUri };
    return `${endpoints.authorization}?${new URLSearchParams({ ...parameters, code_challenge: pkce().challenge }).toString()}`;
  };
  const orders: Readonly<Partial<Record<Kind, () => Promise<TokenOrder>>>> = {
    authorization: async () => ({
      url: silent(),
      method: 'GET',
      headers: {},
      forms: [],
      cookies: await service.signIn(count),
    }),
    exchange: async () => ({ ...posted, forms: await many(count, () => exchange('resource')), amount: count }),
    refresh: () => refreshing('resource'),
    'refresh, openid': () => refreshing('openid'),
    userinfo: async () => {
      const { access_token: token } = await tokens(await exchange('userinfo'));
      return { url: endpoints.userinfo, method: 'GET', headers: { authorization: `Bearer ${token}` }, forms: [] };
    },
    introspection: async () => {
      const { access_token: token } = await tokens(await exchange('resource'));
      const asked = new URLSearchParams({ token, ...introspecting }).toString();
      return { ...posted, url: endpoints.introspection, forms: [asked] };
    },
    discovery: async () => ({ url: endpoints.discovery, method: 'GET', headers: {}, forms: [] }),
  };
  const order = orders[kind];
  if (!order) throw new Error(`this contender has no ${kind}`);
  return order();
}

async function many(count: number, make: () => Promise<string>): Promise<string[]> {
  const made: string[] = [];
  while (made.length < count) {
    const batch = Math.min(50, count - made.length);
    made.push(...(await Promise.all(Array.from({ length: batch }, make))));
  }
  return made;
}
