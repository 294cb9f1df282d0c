import type { Approve } from '../../lib/simulated-clients/authorization.ts';
import { type Browser, csrfOf, decisionsOn } from '../helpers/browser.ts';
import { authorize } from '../helpers/flow.ts';

/** A person who allows what is asked, and approves what needs it. The app's redirect URI is not requested. */
export function allowing(browser: Browser): Approve {
  return async (url) => {
    const stop = await browser.follow(url);
    const decision = decisionIn(stop.html);
    return decision === undefined ? stop.url : (await browser.decide(stop, decision)).url;
  };
}

/** A person who approves nothing. */
export function viewing(browser: Browser): Approve {
  return async (url) => (await authorize(browser, url)).url;
}

/** What gives an app the most. */
function decisionIn(html: string): 'approve' | 'allow' | undefined {
  return (['approve', 'allow'] as const).find((each) => decisionsOn(html).includes(each));
}

/** A person who ticks only these scopes the first time, and allows everything after that. */
export function hesitating(browser: Browser, ticked: readonly string[]): Approve {
  let isFirst = true;
  return async (url) => {
    const { url: page, html } = await browser.follow(url);
    const decision = decisionIn(html);
    if (decision === undefined) return page;
    const body = new URLSearchParams({ csrf: csrfOf(html), decision: isFirst ? 'allow' : decision });
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
