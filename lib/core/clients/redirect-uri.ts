interface RedirectUriKinds {
  readonly https?: boolean | undefined;
  /** `http://127.0.0.1[:port]/…` and `http://[::1][:port]/…`. @default false */
  readonly loopback?: boolean | undefined;
  /** Also `http://localhost[:port]/…`; only together with `loopback`. @default false */
  readonly localhost?: boolean | undefined;
  /** Private-use schemes such as `com.example.app:/callback`. RFC 8252 section 7.1. @default false */
  readonly privateUse?: boolean | undefined;
  /** Schemes without a domain name, which any app can claim: only for clients that the platform knows. @default false */
  readonly customScheme?: boolean | undefined;
}

interface RedirectUriProblem {
  readonly code:
    | 'long'
    | 'fragment'
    | 'character'
    | 'relative'
    | 'credentials'
    | 'http'
    | 'host'
    | 'spelling'
    | 'scheme'
    | 'parameter';
  readonly reason: string;
  /** What is wrong, or how to write it. */
  readonly part?: string | undefined;
}

const maxRedirectUriLength = 2000;

/** The characters of a URI without a fragment. RFC 3986 section 2. */
export const uriCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;

const loopbackUri = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::[1-9][0-9]{0,4})?(?<rest>[/?].*)?$/;

const privateUseUri = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\//;

const customSchemeUri = /^[a-z][a-z0-9+-]*:\/\/[^/?]/;

/** Schemes that a browser or an operating system opens itself, often as content or script. */
const takenSchemes: ReadonlySet<string> = new Set(
  (
    'about android-app blob chrome chrome-extension cid content data edge file filesystem ftp ftps http https intent jar ' +
    'javascript livescript mailto mhtml mocha moz-extension ms-settings resource search-ms sftp smb sms ssh tel telnet urn ' +
    'vbscript view-source ws wss'
  ).split(' '),
);

/** A domain name, without wildcards and without a dot at its end, or an IP address. */
export const plainHost = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/;

/** An authorization response adds these; a registered one would be there twice. RFC 6749 section 4.1.2. */
export const responseParameters: ReadonlySet<string> = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
]);

/** Whether this is a plain loopback address, or `localhost` if allowed. RFC 8252 section 7.3; specification: Registration rules 2. */
export function isLoopbackRedirect(uri: string, options: { readonly localhost?: boolean | undefined } = {}): boolean {
  const parts = uriCharacters.test(uri) ? loopbackUri.exec(uri)?.groups : undefined;
  const url = URL.parse(uri);
  if (parts === undefined || url === null || (parts.host === 'localhost' && options.localhost !== true)) return false;
  // The browser must request what a person reads; with dot segments, for example, it does not.
  return url.hostname === parts.host && `${url.pathname}${url.search}` === (parts.rest ?? '/');
}

/** The other spelling of a loopback address without a path: with or without the slash. RFC 3986 section 6.2.3. */
export function otherRootSpelling(uri: string): string | undefined {
  const [, origin, slash] = /^(http:\/\/[^/?]+)(\/?)$/.exec(uri) ?? [];
  if (origin === undefined || !isLoopbackRedirect(uri, { localhost: true })) return undefined;
  return slash === '/' ? origin : `${origin}/`;
}

/** What is wrong, as words that follow the URI's name, or `undefined`. RFC 8252 sections 7 and 8; specification: Registration rules 2. */
export function checkRedirectUri(uri: string, allow: RedirectUriKinds): string | undefined {
  return redirectUriProblem(uri, allow)?.reason;
}

/** The same for a page, which has a text of its own for each code. */
export function redirectUriProblem(uri: string, allow: RedirectUriKinds): RedirectUriProblem | undefined {
  return spelling(uri) ?? kind(uri, allow) ?? query(uri);
}

/** What to show of a redirect URI: its host, without the port of a loopback address, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const url = URL.parse(uri);
  if (url === null) return uri;
  if (isLoopbackRedirect(uri, { localhost: true })) return url.hostname;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : url.protocol.slice(0, -1);
}

const maxShownAddresses = 5;
const maxShownCharacters = 100;

/** Registered addresses for a developer to read: the first of them, and how many more there are. */
export function shownAddresses(uris: readonly string[]): string {
  const shown = uris
    .slice(0, maxShownAddresses)
    .map((uri) => (uri.length > maxShownCharacters ? `${uri.slice(0, maxShownCharacters)}...` : uri));
  const more = uris.length - shown.length;
  return `${shown.join(' or ')}${more > 0 ? ` or one of ${more} more` : ''}`;
}

/** The address with parameters behind its own query, which stays as it was registered. RFC 6749 section 3.1.2. */
export function withParameters(uri: string, parameters: URLSearchParams): string {
  if (parameters.size === 0) return uri;
  const joint = /[?&]$/.test(uri) ? '' : uri.includes('?') ? '&' : '?';
  return `${uri}${joint}${parameters.toString()}`;
}

function spelling(uri: string): RedirectUriProblem | undefined {
  if (uri.length > maxRedirectUriLength) {
    return { code: 'long', reason: `is longer than ${maxRedirectUriLength} characters` };
  }
  if (uri.includes('#')) return { code: 'fragment', reason: 'has a fragment' };
  if (!uriCharacters.test(uri)) {
    return { code: 'character', reason: 'has a character that a URI must not have, or must write percent-encoded' };
  }
  return URL.canParse(uri) ? undefined : { code: 'relative', reason: 'is not an absolute URI' };
}

function kind(uri: string, allow: RedirectUriKinds): RedirectUriProblem | undefined {
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '' || /^[^:]*:\/*[^/?]*@/.test(uri)) {
    return { code: 'credentials', reason: 'has a user name or password' };
  }
  if (url.protocol === 'http:') {
    const reason = loopbackKind(uri, allow);
    return reason === undefined ? undefined : { code: 'http', reason };
  }
  if (url.protocol === 'https:') return httpsKind(uri, url, allow);
  return appKind(uri, url, allow);
}

function loopbackKind(uri: string, allow: RedirectUriKinds): string | undefined {
  if (allow.loopback !== true) return 'uses http:, which is not allowed here';
  if (isLoopbackRedirect(uri, { localhost: allow.localhost })) return undefined;
  if (isLoopbackRedirect(uri, { localhost: true })) return 'names localhost; write http://127.0.0.1 or http://[::1]';
  const localhost = allow.localhost === true ? ', http://localhost[:port]/...' : '';
  return `uses http: for something other than a plain http://127.0.0.1[:port]/...${localhost} or http://[::1][:port]/...`;
}

function httpsKind(uri: string, url: URL, allow: RedirectUriKinds): RedirectUriProblem | undefined {
  if (allow.https !== true) {
    return { code: 'scheme', reason: 'is a fixed https: callback, which is not allowed here', part: url.protocol };
  }
  if (!plainHost.test(url.hostname)) {
    return { code: 'host', reason: 'has a host that is not a plain domain name or address' };
  }
  return uri === url.href || `${uri}/` === url.href ? undefined : notPlain(url);
}

function notPlain({ href }: URL): RedirectUriProblem {
  return { code: 'spelling', reason: `is not in its plain form, ${href}`, part: href };
}

function appKind(uri: string, url: URL, allow: RedirectUriKinds): RedirectUriProblem | undefined {
  const scheme = { code: 'scheme', part: url.protocol } as const;
  if (allow.privateUse !== true && allow.customScheme !== true) {
    return { ...scheme, reason: `uses the scheme ${url.protocol}, which is not allowed here` };
  }
  const allowed =
    (allow.privateUse === true && privateUseUri.test(uri)) || (allow.customScheme === true && isCustomScheme(uri, url));
  if (!allowed) {
    const reason = `uses the scheme ${url.protocol}, which is not a domain name in reverse, such as com.example.app:/callback`;
    return { ...scheme, reason };
  }
  return uri === url.href ? undefined : notPlain(url);
}

function isCustomScheme(uri: string, { protocol }: URL): boolean {
  return customSchemeUri.test(uri) && !takenSchemes.has(protocol.slice(0, -1));
}

function query(uri: string): RedirectUriProblem | undefined {
  const { searchParams } = new URL(uri);
  const taken = [...responseParameters].find((name) => searchParams.has(name));
  if (taken === undefined) return undefined;
  return { code: 'parameter', reason: `has the query parameter ${taken}, which the response adds itself`, part: taken };
}
