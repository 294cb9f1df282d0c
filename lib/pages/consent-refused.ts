import type { AppStatus } from '../core/clients/client-status.ts';
import type { TextKey } from '../i18n/texts.ts';
import { type ConsentPage, facts, ruleTexts } from './consent-parties.ts';
import { referenceFacts } from './kit/error-page.ts';
import { fact } from './kit/facts.ts';
import type { IconName } from './kit/icons.ts';
import { html, type Html, isolated, shortName, type Translator } from './kit/markup.ts';
import { plainRow } from './kit/row-link.ts';
import { statusMark, type StatusClass } from './kit/status.ts';
import { stepList } from './kit/steps.ts';
import { clientTile, roundTile } from './kit/tile.ts';
import { isVerified } from './kit/trust.ts';
import { type RefusedBy, refusedBy } from './refused-by.ts';

/** Why a person can only go back. */
function whyRefused(page: ConsentPage): RefusedBy | 'platform' | 'asked' {
  if (page.asking === 'asked') return 'asked';
  const by = refusedBy(page);
  return by === 'blocked' && page.decider === 'platform' ? 'platform' : by;
}

interface Look {
  readonly title: TextKey;
  readonly icon: IconName;
  readonly tile: StatusClass;
  /** What it says of the app. @default nothing: it is a matter of this person, or of this moment */
  readonly status?: AppStatus;
}

const needsApproval: Look = {
  title: 'consent.title.approval',
  icon: 'clock',
  tile: 'needs-approval',
  status: 'needs_approval',
};

const looks: Readonly<Record<RefusedBy | 'platform' | 'asked', Look>> = {
  asked: { title: 'consent.title.asked', icon: 'check', tile: 'allowed' },
  person: needsApproval,
  version: needsApproval,
  blocked: { title: 'consent.title.blocked', icon: 'block', tile: 'blocked', status: 'blocked' },
  platform: { title: 'consent.title.denied', icon: 'block', tile: 'blocked', status: 'blocked' },
  role: { title: 'consent.title.denied', icon: 'block', tile: 'blocked' },
  policy: { title: 'consent.title.denied', icon: 'block', tile: 'blocked' },
};

export function refusedTitle(page: ConsentPage): TextKey {
  return looks[whyRefused(page)].title;
}

/** Above the heading: how it ended, never in the colour of something else. */
export function refusedTile(page: ConsentPage): Html {
  const { icon, tile } = looks[whyRefused(page)];
  return roundTile(icon, tile);
}

/** What happened, whose decision it is, and one thing to do. `fields` are what its form must have. */
export function refusedBody(t: Translator, page: ConsentPage, fields: Html): Html {
  const { client, site, action, asking, changePath, requestsPath } = page;
  const why = whyRefused(page);
  const names = { client: shortName(client.clientName), school: site.name };
  const back = html`<button${asking === undefined && changePath === undefined && html` class="primary"`} type="submit" name="decision" value="deny"><span>${t.html('consent.back', names)}</span></button>`;
  const ask = html`<button class="primary" type="submit" name="decision" value="ask">${t.html('consent.ask.school')}</button>`;
  const change =
    changePath !== undefined && html`<a class="button primary" href="${changePath}">${t.html('consent.change')}</a>`;
  const see =
    asking === 'asked' &&
    requestsPath !== undefined &&
    html`<a class="button primary" href="${requestsPath}">${t.html('consent.asked.see')}</a>`;
  return html`${why === 'asked' ? askedSteps(t, names) : html`${ruleTexts(t, page).map((text) => html`<p>${text}</p>`)}${row(t, page, looks[why].status)}`}
<form method="post" action="${action}">${fields}
${asking === 'possible' && reasonField(t)}
<div class="actions stack">${asking === 'possible' && ask}${change}${see}${back}</div></form>
${why === 'blocked' && asking === undefined && changePath === undefined && html`<p class="soft">${t.html('consent.blocked.advice')}</p>`}
${referenceFacts(
  t,
  facts(t, page).map(([name, value]) => fact(name, value)),
)}`;
}

/** Why the person wants it; the administrator who decides reads that. */
function reasonField(t: Translator): Html {
  return html`<div class="field"><label for="note">${t.html('request.note')} <span class="soft">${t.html('form.optional')}</span></label>
<textarea id="note" name="note" rows="2" maxlength="500" aria-describedby="note-hint"></textarea>
<span class="hint" id="note-hint">${t.html('request.note.hint')}</span></div>`;
}

function row(t: Translator, { client }: ConsentPage, status: AppStatus | undefined): Html {
  const { clientName, clientId, source, app } = client;
  const host = source === 'document' ? URL.parse(clientId)?.host : undefined;
  const isClaimed = !isVerified({ source, known: app });
  return plainRow({
    tile: clientTile(client, undefined, 'small'),
    name: isolated(shortName(clientName)),
    hint:
      host === undefined
        ? isClaimed && t.html('consent.claimed')
        : html`${t.html('consent.publisher')} ${isolated(host)}`,
    status: status && statusMark(t, status),
  });
}

function askedSteps(t: Translator, names: Readonly<Record<'client' | 'school', string>>): Html {
  return html`<p role="status" tabindex="-1" autofocus>${t.html('request.made')}</p>
${stepList([
  { state: 'done', name: t.html('consent.asked.done', names) },
  { state: 'now', name: t.html('consent.asked.now') },
  { state: 'next', name: t.html('consent.asked.next') },
])}`;
}
