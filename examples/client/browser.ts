import { createCookieJar } from './cookie-jar.ts';
import { findForms } from './html-form.ts';

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Set when a redirect to `stopAt` was not followed. */
  readonly stoppedAt?: URL;
}

/** A minimal headless browser: it stores cookies, follows redirects and submits forms. */
export interface Browser {
  get(url: string): Promise<Page>;
  /** Submits the page's first form that has all these fields; its other fields keep their values. */
  submit(page: Page, fields: Readonly<Record<string, string>>, choices?: Choices): Promise<Page>;
}

interface Choices {
  /** The name of checkboxes that are all ticked first. */
  readonly tick: string;
}

interface BrowserOptions {
  /** A redirect to a URL with this prefix is returned instead of followed. */
  readonly stopAt?: string;
}

const maxRedirects = 20;

export function createBrowser({ stopAt }: BrowserOptions = {}): Browser {
  const jar = createCookieJar();

  async function visit(start: URL, request: RequestInit): Promise<Page> {
    let url = start;
    let init = request;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const headers = new Headers(init.headers);
      headers.set('Accept', 'text/html');
      const cookie = jar.header(url);
      if (cookie) headers.set('Cookie', cookie);
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      jar.store(url, response.headers);
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('Location') : null;
      if (location === null) {
        return { url: url.href, status: response.status, headers: response.headers, html: await response.text() };
      }
      await response.body?.cancel();
      const next = new URL(location, url);
      if (stopAt !== undefined && next.href.startsWith(stopAt)) {
        return { url: url.href, status: response.status, headers: response.headers, html: '', stoppedAt: next };
      }
      url = next;
      if (response.status !== 307 && response.status !== 308) init = {};
    }
    throw new Error(`more than ${maxRedirects} redirects from ${start.href}`);
  }

  return {
    get: (url) => visit(new URL(url), {}),

    async submit(page, fields, { tick } = { tick: '' }) {
      const names = Object.keys(fields);
      const form = findForms(page.html).find((candidate) => names.every((name) => candidate.names.has(name)));
      if (!form) throw new Error(`no form with the fields ${names.join(', ')} at ${page.url}`);
      const action = new URL(form.action || page.url, page.url);
      const left = form.values.filter(([name]) => !names.includes(name) && name !== tick);
      const unchanged = [...left, ...form.boxes.filter(([name]) => name === tick)];
      const body = new URLSearchParams([...unchanged, ...Object.entries(fields)]);
      if (form.method !== 'post') {
        action.search = body.toString();
        return visit(action, {});
      }
      return visit(action, { method: 'POST', body, headers: { Origin: new URL(page.url).origin } });
    },
  };
}
