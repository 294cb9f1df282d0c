import type { Member, Site } from '../../host/school-platform.ts';
import { html, type Html, shortName, type Translator } from '../../pages/kit/markup.ts';
import { hiddenFields, memberPage } from '../../pages/kit/member-page.ts';
import { statusMessage } from '../../pages/kit/notice.ts';
import { homePath, type PageBuilder } from '../../pages/kit/pages.ts';
import { logoutPaths } from './paths.ts';

/** What a person is asked. */
export interface LogoutPage {
  readonly site: Site;
  /** `undefined` for somebody who is signed in and has left the school. */
  readonly member: Member | undefined;
  readonly switchAccountUrl: string;
  /** The name of the application that they come from, if it is known. */
  readonly client: string | undefined;
  readonly csrf: string;
  /** What the request said. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Asks whether the person wants to sign out of the school too. OpenID Connect RP-Initiated Logout 1.0 section 2. */
export function logoutPage(view: LogoutPage): PageBuilder {
  const { site, member, client, fields } = view;
  const values = { school: site.name, client: shortName(client ?? '') };
  const body = (t: Translator): Html => html`
<p>${t.html(client === undefined ? 'logout.asks.nobody' : 'logout.asks', values)} ${t.html('logout.shared')}</p>
<form method="post" action="${logoutPaths.confirm}">
${hiddenFields(view, fields)}
<div class="actions stack"><button class="primary" type="submit" name="logout" value="yes">${t.html('logout.yes', values)}</button><button type="submit" name="logout" value="no">${t.html('logout.no')}</button></div>
</form>`;
  if (member) return memberPage({ ...view, member, page: 'logout' }, { title: 'logout.title', values, body });
  return (t) => ({
    page: 'logout',
    title: t.text('logout.title', values),
    heading: t.html('logout.title', values),
    body: body(t),
  });
}

/** How it ended, for a person who is sent nowhere. */
export function logoutDonePage({ name: school }: Site, outcome: 'done' | 'stays'): PageBuilder {
  return (t) => ({
    page: 'logout',
    title: t.text(`logout.${outcome}.title`),
    heading: t.html(`logout.${outcome}.title`),
    once: true,
    body: html`${statusMessage(t, `logout.${outcome}.text`, { school })}
<p class="actions stack"><a class="button" href="${homePath}">${t.html('home')}</a></p>`,
  });
}
