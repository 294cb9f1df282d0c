import { html, shortName } from './kit/markup.ts';
import { hiddenFields } from './kit/member-page.ts';
import type { PageBuilder } from './kit/pages.ts';
import { roundTile } from './kit/tile.ts';

interface ConnectAgain {
  readonly clientName: string;
  /** Where the form goes. */
  readonly action: string;
  readonly csrf: string;
  readonly shown: string;
}

/** For an app that the person has limited by something that the school no longer has. */
export function connectAgainPage({ clientName, action, csrf, shown }: ConnectAgain): PageBuilder {
  const values = { client: shortName(clientName) };
  return (t) => ({
    page: 'consent',
    title: t.text('limits.again.title', values),
    heading: t.html('limits.again.title', values),
    beforeHeading: roundTile('warn', 'needs-approval'),
    body: html`<p>${t.html('limits.again.text')}</p>
<form method="post" action="${action}">${hiddenFields({ csrf }, { shown })}
<div class="actions stack"><button class="primary" type="submit" name="decision" value="again">${t.html('limits.again.button')}</button><button type="submit" name="decision" value="deny">${t.html('consent.deny')}</button></div>
</form>`,
  });
}
