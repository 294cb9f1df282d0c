import type { Only } from '../core/boundaries/boundary.ts';

/** A walk through sign-in and consent. */
export interface ConsentWalk {
  /** The authorization request, as the client made it. */
  readonly authorizeUrl: URL | string;
  /**
   * The `Cookie` header of a person who is signed in at the platform: for `fakePlatform` what `signIn` returns.
   * @default no one is signed in
   */
  readonly cookie?: string | undefined;
  /**
   * Which button the person presses. `approve` also approves a metadata document for the school; it is `allow` where nothing waits
   * for that. @default 'allow'
   */
  readonly decision?: 'allow' | 'approve' | 'deny' | undefined;
  /**
   * The scopes that the person ticks, or `'all'` that the page has. Identity scopes have no checkbox.
   * @default what is ticked when the page is shown
   */
  readonly scopes?: readonly string[] | 'all' | undefined;
  /** To what the person limits it: ids by the type of boundary (`docs/guides/limit-to-classes.md`). @default everything */
  readonly only?: Only | undefined;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** An error for a walk that ended before a redirect URI. */
export class WalkStopped extends Error {
  override readonly name = 'WalkStopped';
}

const maxRequests = 20;

/**
 * Walks through an authorization request over HTTP, as a browser would, and decides on the consent page, if it appears. Returns the
 * redirect to the client, with `code` or `error`, without requesting the redirect URI.
 *
 * @throws WalkStopped with the page or address at which the walk stopped, and the text of that page
 */
export async function walkConsent(walk: ConsentWalk): Promise<URL> {
  const { authorizeUrl, decision = 'allow', scopes, only, fetch: fetchFrom = fetch } = walk;
  const start = new URL(authorizeUrl);
  const redirectUri = start.searchParams.get('redirect_uri');
  if (redirectUri === null) throw new TypeError(`authorizeUrl must have a redirect_uri: ${start.href}`);
  const jar = new CookieJar(walk.cookie);
  let at = start;
  let form: URLSearchParams | undefined;
  for (let i = 0; i < maxRequests; i += 1) {
    const response = await fetchFrom(at, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: jar.header(at.pathname), ...(form && { origin: at.origin }) },
      ...(form && { body: form }),
    });
    jar.keep(response);
    const location = response.headers.get('location');
    if (location === null) {
      const page = await response.text();
      const back = wayBack(page, redirectUri);
      if (back) return back;
      const buttons = [...page.matchAll(/name="decision" value="(\w+)"/g)].map(([, value]) => value);
      const pressed = decision === 'approve' && !buttons.includes(decision) ? 'allow' : decision;
      const csrf = /name="csrf" value="([^"]+)"/.exec(page)?.[1];
      if (form || csrf === undefined || !buttons.includes(pressed)) {
        throw new WalkStopped(stopText(at, response.status, page));
      }
      form = answer(csrf, pressed, scopes ?? tickedOn(page));
      limit(form, page, only);
      continue;
    }
    form = undefined;
    const next = new URL(location, at);
    if (beforeQuery(next.href) === beforeQuery(new URL(redirectUri).href)) return next;
    if (next.origin !== start.origin) {
      throw new WalkStopped(`the browser was sent to ${next.href}; cookie does not sign anyone in at the platform`);
    }
    at = next;
  }
  throw new WalkStopped(`the browser was redirected ${maxRequests} times, last to ${at.href}`);
}

/** The scopes whose checkboxes have a tick. */
function tickedOn(page: string): string[] {
  const inputs = [...page.matchAll(/<input\b[^<>]*>/g)].map(([input]) => input);
  const ticked = inputs.filter((input) => input.includes(' name="scope"') && / checked\b/.test(input));
  return ticked.flatMap((input) => / value="([^"]+)"/.exec(input)?.[1] ?? []);
}

/** Without `choice`, a form allows all that is asked for. */
function answer(csrf: string, decision: string, scopes: readonly string[] | 'all'): URLSearchParams {
  const form = new URLSearchParams({ csrf, decision });
  if (scopes === 'all') return form;
  form.set('choice', 'shown');
  for (const scope of scopes) form.append('scope', scope);
  return form;
}

/** Makes the choice that a page has for each type of boundary. */
function limit(form: URLSearchParams, page: string, only: Only = {}): void {
  const types = new Set([...page.matchAll(/ name="limit\.(\w+)"/g)].flatMap(([, type]) => type ?? []));
  for (const type of types) {
    form.set(`limit.${type}`, only[type] ? 'some' : 'all');
    for (const id of only[type] ?? []) form.append(`only.${type}`, id);
  }
}

/** The link of a page that does not go on: to the client, with the error. */
function wayBack(page: string, redirectUri: string): URL | undefined {
  const links = [...page.matchAll(/<a class="button" href="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
  const back = links.find((href) => beforeQuery(href) === beforeQuery(new URL(redirectUri).href));
  return back === undefined ? undefined : new URL(back);
}

function beforeQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

const shownLength = 600;

function stopText(url: URL, status: number, page: string): string {
  const body = page.slice(Math.max(0, page.indexOf('<body')));
  const words = ['style', 'script', 'svg']
    .reduce(withoutElements, body)
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const start = url.pathname.startsWith('/oauth/') ? '' : ' (if this is a sign-in page, cookie signs no one in)';
  return `the browser has stopped at ${url.origin}${url.pathname}${start}, status ${status}: ${words.slice(0, shownLength)}`;
}

/** The page without the elements of this name, and without what is in them. */
function withoutElements(page: string, name: string): string {
  const end = `</${name}>`;
  const [before = '', ...parts] = page.split(`<${name}`);
  return before + parts.map((part) => part.split(end).slice(1).join(end)).join('');
}

/** The cookies of a browser at one origin. RFC 6265 section 5. */
class CookieJar {
  readonly #own: string;
  /** `name=value`, by path and name. */
  readonly #cookies = new Map<string, { readonly path: string; readonly pair: string }>();

  /** `own` is a `Cookie` header that is always sent. */
  constructor(own = '') {
    this.#own = own;
  }

  header(path: string): string {
    const kept = [...this.#cookies.values()].filter((cookie) => path.startsWith(cookie.path));
    return [this.#own, ...kept.map(({ pair }) => pair)].filter(Boolean).join('; ');
  }

  keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
      const equals = pair.indexOf('=');
      const place = `${path} ${pair.slice(0, equals)}`;
      this.#cookies.delete(place);
      if (equals < pair.length - 1) this.#cookies.set(place, { path, pair });
    }
  }
}
