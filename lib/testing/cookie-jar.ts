interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** The cookies of a browser at one origin. RFC 6265 section 5. */
export class CookieJar {
  readonly #own: string;
  readonly #cookies = new Map<string, Cookie>();

  /** `own` is a `Cookie` header that is always sent. */
  constructor(own: string = '') {
    this.#own = own;
  }

  /** The `Cookie` header for a path. */
  header(path: string): string {
    const kept = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path));
    return [this.#own, ...kept.map(({ name, value }) => `${name}=${value}`)].filter(Boolean).join('; ');
  }

  /** Takes over the cookies that a response sets. */
  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) this.#keep(line);
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    this.#cookies.delete(`${path} ${name}`);
    if (value !== '') this.#cookies.set(`${path} ${name}`, { name, value, path });
  }
}
