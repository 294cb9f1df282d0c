import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { authorizeUrl, pkce, webMemberApp } from '../helpers/flow.ts';
import { type Schools, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';

const origin = 'https://harbour.example';

let schools: Schools;
beforeAll(async () => {
  const site = harbourSite(origin);
  schools = await startSchools({
    platform: { findSite: (asked) => (asked === origin ? site : undefined) },
    app: (campus) => {
      const app = new Koa({ proxy: true });
      app.use(campus.middleware());
      return app;
    },
  });
});
afterAll(() => schools.close());

/** A browser behind a proxy that terminates TLS and forwards plain HTTP. */
class ProxiedBrowser {
  readonly cookies = new Map<string, string>();
  /** The name of each cookie that was set, with its `secure` attribute. */
  readonly attributes = new Set<string>();

  /** Requests an address and returns where it redirects to. */
  async redirect(address: URL): Promise<URL> {
    const headers = {
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'harbour.example',
      cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
    };
    const url = `${schools.harbour}${address.pathname}${address.search}`;
    const response = await fetch(url, { headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#store(cookie.split('; '));
    expect(response.status).toBe(303);
    return new URL(response.headers.get('location') ?? '', origin);
  }

  #store([pair = '', ...attributes]: readonly string[]): void {
    const [name = '', value = ''] = pair.split('=');
    this.cookies.set(name, value);
    this.attributes.add(`${name.replace(/\.sig$/, '')} ${attributes.filter((each) => each === 'secure').join()}`);
  }
}

test('behind a proxy that terminates TLS, addresses are https, cookies are Secure, and sign-in works', async () => {
  const browser = new ProxiedBrowser();
  const interaction = await browser.redirect(authorizeUrl(origin, webMemberApp, pkce()));
  expect(interaction.href).toMatch(`${origin}/oauth/interaction/`);
  expect((await browser.redirect(interaction)).href).toMatch(`${origin}/sign-in`);
  browser.cookies.set('person', 'sam');
  const resume = await browser.redirect(interaction);
  expect(resume.href).toMatch(`${origin}/oauth/authorize/`);
  expect((await browser.redirect(resume)).href).toMatch(`${origin}/oauth/interaction/`);
  expect([...browser.attributes].sort()).toEqual([
    '__Host-campus_session secure',
    '__Secure-campus_interaction secure',
    '__Secure-campus_resume secure',
  ]);
});
