import { type Browser, createBrowser } from './browser.ts';
import { findForms } from './html-form.ts';

/** Who the demo's person is. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** The student of the demo. */
export const sam: Person = { email: 'sam@example.com', password: 'demo' };

/** The owner of Harbour School in the demo. */
export const olivia: Person = { email: 'olivia@example.com', password: 'demo' };

/** Does what a person does in the browser: signs in, allows, and ends at the client's redirect URI. */
export async function authorizeAs(person: Person, authorizeUrl: string, redirectUri: string): Promise<URL> {
  const browser: Browser = createBrowser({ stopAt: redirectUri });
  let page = await browser.get(authorizeUrl);
  for (let pages = 0; pages < 5; pages += 1) {
    if (page.stoppedAt) return page.stoppedAt;
    const asks = new Set(findForms(page.html).flatMap(({ names }) => [...names]));
    if (page.status === 200 && asks.has('password')) {
      page = await browser.submit(page, { email: person.email, password: person.password });
    } else if (page.status === 200 && asks.has('decision')) {
      page = await browser.submit(page, { decision: 'allow' });
    } else {
      break;
    }
  }
  throw new Error(`no way on from ${page.url} (status ${page.status}):\n${text(page.html)}`);
}

function text(html: string): string {
  const words = html.replace(/<(style|script|title)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ');
  return words.replace(/\s+/g, ' ').trim().slice(0, 500);
}
