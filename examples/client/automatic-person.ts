import { type Browser, createBrowser, type Page } from './browser.ts';
import { findForms } from './html-form.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A student in the demo. */
export const sam: Person = { email: 'sam@example.com', password: 'demo' };

/** The owner of Harbour School in the demo. */
export const olivia: Person = { email: 'olivia@example.com', password: 'demo' };

/** Signs in and allows the request, as a person would in a browser. Returns the redirect to the client. */
export async function authorizeAs(person: Person, authorizeUrl: string, redirectUri: string): Promise<URL> {
  const page = await answerPages(person, authorizeUrl, createBrowser({ stopAt: redirectUri }));
  return page.stoppedAt ?? stuck(page);
}

/** Signs in, sends the code of the link, says that it is that of the own device, and allows the request. */
export async function approveDeviceAs(person: Person, link: string): Promise<void> {
  const page = await answerPages(person, link, createBrowser({ stopAt: 'nowhere:' }));
  if (!page.html.includes('role="status"')) stuck(page);
}

/** Answers what it is asked, until a page asks nothing that it knows. */
async function answerPages(person: Person, url: string, browser: Browser): Promise<Page> {
  let page = await browser.get(url);
  for (let pages = 0; pages < 7; pages += 1) {
    if (page.stoppedAt) return page;
    const fields = new Set(findForms(page.html).flatMap(({ names }) => [...names]));
    if (page.status === 200 && fields.has('password')) {
      page = await browser.submit(page, { email: person.email, password: person.password });
    } else if (page.status === 200 && fields.has('decision')) {
      // For an app that nobody has verified, permissions to change data are not ticked, and a limit is proposed.
      const limits = [...fields].filter((name) => name.startsWith('limit.')).map((name) => [name, 'all']);
      page = await browser.submit(page, { decision: 'allow', ...Object.fromEntries(limits) }, { tick: 'scope' });
    } else if (page.status === 200 && fields.has('user_code')) {
      page = await browser.submit(page, fields.has('confirm') ? { confirm: 'yes' } : {});
    } else {
      break;
    }
  }
  return page;
}

function stuck(page: Page): never {
  throw new Error(`cannot continue at ${page.url} (status ${page.status}):\n${text(page.html)}`);
}

function text(html: string): string {
  const content = html.replace(/<(style|script|title)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ');
  return content.replace(/\s+/g, ' ').trim().slice(0, 500);
}
