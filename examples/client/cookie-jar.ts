interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
  readonly expires: number;
}

/** Stores cookies like a browser (RFC 6265), each for the host that set it. `Domain` is not supported. */
interface CookieJar {
  /** The `Cookie` header for a request; may be empty. */
  header(url: URL): string;
  /** Stores the `Set-Cookie` headers of a response. */
  store(url: URL, headers: Headers): void;
}

export function createCookieJar(): CookieJar {
  const cookies = new Map<string, Cookie>();
  return {
    header(url) {
      return [...cookies.values()]
        .filter((cookie) => cookie.host === url.hostname && covers(cookie.path, url.pathname))
        .filter((cookie) => cookie.expires > Date.now())
        .sort((a, b) => b.path.length - a.path.length)
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ');
    },
    store(url, headers) {
      for (const line of headers.getSetCookie()) {
        const cookie = parse(line, url);
        cookies.set(`${cookie.host} ${cookie.path} ${cookie.name}`, cookie);
      }
    },
  };
}

function parse(line: string, url: URL): Cookie {
  const [pair = '', ...attributes] = line.split(';');
  const { name, value } = split(pair);
  let path = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')));
  let expires = Infinity;
  let maxAge: number | undefined;
  for (const attribute of attributes.map(split)) {
    const key = attribute.name.toLowerCase();
    if (key === 'path' && attribute.value.startsWith('/')) path = attribute.value;
    if (key === 'expires') expires = Date.parse(attribute.value);
    if (key === 'max-age') maxAge = Number(attribute.value);
  }
  if (maxAge !== undefined) expires = Date.now() + maxAge * 1000;
  return { name, value, host: url.hostname, path, expires };
}

function split(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=');
  return at < 0
    ? { name: pair.trim(), value: '' }
    : { name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() };
}

function covers(cookiePath: string, path: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`);
}
