import type { Approve } from '../../lib/client-programs/authorization.ts';
import { type Browser, csrfOf } from '../helpers/browser.ts';
import { authorize } from '../helpers/flow.ts';

/** A person who allows what is asked. The program's redirect URI is not requested. */
export function allowing(browser: Browser): Approve {
  return async (url) => (await authorize(browser, url)).url;
}

/** A person who ticks only these scopes the first time, and allows everything after that. */
export function hesitating(browser: Browser, ticked: readonly string[]): Approve {
  let isFirst = true;
  return async (url) => {
    const { url: page, html } = await browser.follow(url);
    if (!html.includes('value="allow"')) return page;
    const body = new URLSearchParams({ csrf: csrfOf(html), decision: 'allow' });
    if (isFirst) {
      body.set('choice', 'shown');
      for (const scope of ticked) body.append('scope', scope);
    }
    isFirst = false;
    return (await browser.follow(page, { method: 'POST', body })).url;
  };
}

/** A person who is watched: the parameters of each authorization request. */
export function watching(approve: Approve): { readonly asked: readonly URLSearchParams[]; readonly approve: Approve } {
  const asked: URLSearchParams[] = [];
  return {
    asked,
    approve: (url) => {
      asked.push(url.searchParams);
      return approve(url);
    },
  };
}
