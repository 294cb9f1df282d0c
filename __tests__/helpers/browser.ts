import { readPage } from './page.ts';

/** A browser as a test needs it: cookies by host and path, redirects one at a time, forms. */
export class Browser {
  readonly #cookies: { host: string; path: string; name: string; value: string }[] = [];
  readonly #platform: Record<string, string>;

  constructor(platformCookies: Record<string, string> = {}) {
    this.#platform = { ...platformCookies };
  }

  /** Changes a cookie of the platform; `undefined` takes it away. */
  platformCookie(name: string, value: string | undefined): void {
    if (value === undefined) delete this.#platform[name];
    else this.#platform[name] = value;
  }

  /** One request, no redirect followed. */
  async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const target = new URL(url);
    const own = this.#cookies.filter(({ host, path }) => host === target.host && target.pathname.startsWith(path));
    const pairs = [...Object.entries(this.#platform), ...own.map(({ name, value }) => [name, value])];
    const headers = new Headers({
      accept: 'text/html,application/xhtml+xml',
      ...Object.fromEntries(new Headers(init.headers)),
    });
    headers.set('cookie', pairs.map((pair) => pair.join('=')).join('; '));
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#keep(target.host, cookie);
    return response;
  }

  #keep(host: string, cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const path = attributes.find((attribute) => attribute.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
    const at = this.#cookies.findIndex((known) => known.host === host && known.path === path && known.name === name);
    if (at >= 0) this.#cookies.splice(at, 1);
    if (value !== '') this.#cookies.push({ host, path, name, value });
  }

  /** The cookies that are kept, for tests that look at them or take them elsewhere. */
  cookies(): readonly {
    readonly host: string;
    readonly path: string;
    readonly name: string;
    readonly value: string;
  }[] {
    return this.#cookies;
  }

  /** Takes over all cookies of another browser: what a thief would have. */
  steal(other: Browser): void {
    this.#cookies.push(...other.cookies());
  }

  /**
   * Follows redirects on the schools' own addresses; stops at a page, and at a redirect to anywhere else. From the page that the
   * wrong person gets it goes back to the application.
   */
  async follow(url: string | URL, init: RequestInit = {}): Promise<Stop> {
    let at = new URL(url);
    let response = await this.fetch(at, init);
    for (let hops = 0; hops < 12; hops += 1) {
      const location = response.headers.get('location');
      if (location === null) {
        const html = await response.text();
        return { url: wayBack(html) ?? at, response, html };
      }
      const next = new URL(location, at);
      if (next.origin !== at.origin || next.pathname === '/sign-in') return { url: next, response, html: '' };
      at = next;
      response = await this.fetch(at);
    }
    throw new Error(`too many redirects, last ${at.href}`);
  }

  /** Submits the consent page at which `follow` has stopped. */
  async decide({ url, html }: Stop, decision: 'allow' | 'approve' | 'deny'): Promise<Stop> {
    return this.follow(url, { method: 'POST', body: new URLSearchParams({ csrf: csrfOf(html), decision }) });
  }
}

/** Where a page for the wrong person leads back to. */
function wayBack(html: string): URL | undefined {
  if (!html.includes('error=access_denied')) return undefined;
  const hrefs = readPage(html)
    .getAllByRole('link')
    .map(({ href }) => href);
  const back = hrefs.find((href) => /[?&]error=access_denied/.test(href));
  return back === undefined ? undefined : new URL(back);
}

/** Where `follow` has stopped: a page with its HTML, or an address somewhere else. */
export interface Stop {
  readonly url: URL;
  readonly response: Response;
  readonly html: string;
}

/** The CSRF token of a page of ours. */
export function csrfOf(html: string): string {
  const token = readPage(html).field('csrf');
  if (token === '') throw new Error(`a form that is not sent:\n${html}`);
  return token;
}

/** The values of the buttons of a consent page, in their order. */
export function decisionsOn(html: string): string[] {
  const buttons = readPage(html).getAllByRole('button');
  return buttons.filter((button) => button.attribute('name') === 'decision').map(({ value }) => value);
}
