import type { ClientInfo } from '../../core/clients/client.ts';
import { claimedMark, html, type Html, isolated, shortName, type Translator } from '../../pages/kit/markup.ts';
import { fact } from '../../pages/kit/facts.ts';
import { memberPage, type Visitor } from '../../pages/kit/member-page.ts';
import { notice } from '../../pages/kit/notice.ts';
import { problem as problemBox } from '../../pages/kit/problems.ts';
import { parties, roundTile } from '../../pages/kit/tile.ts';
import { homePath, type PageBuilder } from '../../pages/kit/pages.ts';
import type { Site } from '../../host/school-platform.ts';

/** What each page on which a person connects a device has. */
export interface DevicePage extends Visitor {
  readonly site: Site;
}

interface DeviceForm extends DevicePage {
  readonly csrf: string;
  /** Where the form goes. */
  readonly action: string;
}

export interface CodePage extends DeviceForm {
  /** What the field has. @default nothing */
  readonly code?: string | undefined;
  readonly problem?: CodeProblem | undefined;
}

/** Why a code is not taken. */
export type CodeProblem = 'empty' | 'unknown' | 'used' | 'form';

/** RFC 8628 section 3.3. */
export function codePage(view: CodePage): PageBuilder {
  const { site, action, csrf, code = '', problem } = view;
  const described = problem ? 'user_code-problem user_code-hint' : 'user_code-hint';
  const context = { ...view, page: 'device' } as const;
  return memberPage(context, {
    title: 'device.title',
    above: roundTile('device', 'view-only'),
    hasProblems: problem !== undefined,
    status: problem ? 400 : 200,
    body: (t) => html`
${problem && problemBox(t.html(`device.problem.${problem}`, { school: site.name }), 'user_code-problem')}
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${csrf}">
<div class="field"><label for="user_code">${t.html('device.code')}</label>
<span class="hint" id="user_code-hint">${t.html('device.code.hint')}</span>
<input type="text" class="big" id="user_code" name="user_code" value="${code}" maxlength="40" dir="ltr" required autocomplete="off" autocapitalize="characters" spellcheck="false"${problem && html` aria-invalid="true"`} aria-describedby="${described}"></div>
${warning(t)}
<div class="actions stack"><button class="primary" type="submit">${t.html('device.continue')}</button></div>
</form>`,
  });
}

export interface ConfirmPage extends DeviceForm {
  readonly client: ClientInfo;
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  readonly code: string;
}

/**
 * The code is shown again, and the person must say that it is theirs: anyone can send a link with one. Both answers look alike. RFC 8628 sections
 * 3.3.1 and 5.4; RFC 10027 section 6.1.14.
 */
export function confirmDevicePage(view: ConfirmPage): PageBuilder {
  const { site, client, action, csrf, code } = view;
  const names = { client: shortName(client.clientName), school: site.name };
  const context = { ...view, page: 'device' } as const;
  return memberPage(context, {
    title: 'device.confirm.title',
    above: parties(client, site),
    body: (t) => html`
<p class="summary">${t.html('device.confirm.intro', names)}</p>
<dl class="facts">${facts(t, view)}</dl>
${warning(t)}
<form method="post" action="${action}">
<input type="hidden" name="xsrf" value="${csrf}"><input type="hidden" name="user_code" value="${code}">
<div class="actions stack"><button type="submit" name="confirm" value="yes">${t.html('device.confirm.yes', { code })}</button><button type="submit" name="abort" value="yes">${t.html('device.confirm.no')}</button></div>
</form>`,
  });
}

/** Above the button, since anyone can send a link with a code. */
function warning(t: Translator): Html {
  return notice('warn', html`<b>${t.html('device.warn')}</b> ${t.html('device.warn.sent')}`);
}

function facts(t: Translator, { client, userAgent, address, code }: ConfirmPage): Html[] {
  const said = (value: string | undefined): Html =>
    value === undefined || value === ''
      ? t.html('device.confirm.unknown')
      : html`<span dir="ltr">${isolated(shortName(value))}</span>`;
  const name = isolated(shortName(client.clientName));
  const claimed = client.source === 'registered' && claimedMark(t);
  return [
    fact(t.html('device.confirm.code'), html`<strong dir="ltr">${code}</strong>`),
    fact(t.html('device.confirm.client'), html`${name}${claimed}`),
    fact(t.html('device.confirm.agent'), said(userAgent)),
    fact(t.html('device.confirm.address'), said(address)),
  ];
}

interface ConnectedApp {
  readonly clientName: string;
  /** The address of its page, where there is one. */
  readonly seen: string | undefined;
}

export function connectedDevicePage(view: DevicePage, { clientName, seen }: ConnectedApp): PageBuilder {
  return memberPage(
    { ...view, page: 'device' },
    {
      title: 'device.done.title',
      once: true,
      above: roundTile('check', 'allowed'),
      body: (t) =>
        html`${ended(t.html('device.done.text', { client: shortName(clientName) }))}
<div class="actions stack"><a class="button" href="${seen ?? homePath}">${t.html(seen === undefined ? 'home' : 'answered.see')}</a></div>`,
    },
  );
}

export function refusedDevicePage(view: DevicePage): PageBuilder {
  return memberPage(
    { ...view, page: 'device' },
    {
      title: 'device.denied.title',
      once: true,
      above: roundTile('block', 'blocked'),
      body: (t) => ended(t.html('device.denied.text')),
    },
  );
}

function ended(text: Html): Html {
  return html`<p role="status" tabindex="-1" autofocus>${text}</p>`;
}
