import { personAudience } from '../core/clients/client-metadata.ts';
import { choice, decisions, summary } from './consent-choice.ts';
import { type ConsentPage, facts, ruleTexts, warningTexts } from './consent-parties.ts';
import { hostView } from './consent-host-view.ts';
import { referenceFacts } from './kit/error-page.ts';
import type { TextKey } from '../i18n/texts.ts';
import { icon } from './kit/icons.ts';
import { html, type Html, shortName, type Translator } from './kit/markup.ts';
import { fact } from './kit/facts.ts';
import { hiddenFields, memberPage } from './kit/member-page.ts';
import { parties } from './kit/tile.ts';
import { statusMessage } from './kit/notice.ts';
import type { PageBuilder } from './kit/pages.ts';
import { needsWidth } from './kit/permissions.ts';

/** Specification: What the service does 7. */
export function consentPage(view: ConsentPage): PageBuilder {
  const { client, site, scopes, beyond, denied, problem, stale, action } = view;
  const alert = stale ? (`review.stale.${stale}` as const) : problem;
  const context = { ...view, page: 'consent' } as const;
  const names = { client: shortName(client.clientName), school: site.name };
  const title = titleOf(view);
  const build = memberPage(context, {
    title,
    // The date is added below, since the heading marks it up.
    values: { ...names, date: '' },
    status: stale ? 409 : view.asking === 'asked' ? 200 : denied ? 403 : problem ? 400 : 200,
    hasProblems: alert !== undefined,
    wide: !denied && (needsWidth(scopes) || needsWidth(beyond)),
    above: parties(client, site, view.logo),
    body: (t) => html`
${alert && html`<div class="problems" role="alert" tabindex="-1" autofocus>${t.html(alert)}</div>`}
${!denied && html`<p class="summary">${summary(t, view)}</p>`}
<form method="post" action="${action}">
${hidden(view)}
<dl class="facts">
${facts(t, view).map(([term, value]) => fact(term, value))}
</dl>
${rules(t, view)}
${!denied && warning(t, view)}
${denied ? html`${asked(t, view)}<div class="actions">${view.asking === 'offered' && html`<button class="primary" type="submit" name="decision" value="ask">${t.html('consent.ask.school')}</button>`}<button type="submit" name="decision" value="deny">${t.html('consent.back')}</button></div>${referenceFacts(t)}` : html`<div class="decide">${choice(t, view)}${decisions(t, view)}</div>`}
</form>`,
  });
  return (t) => {
    const page = build(t);
    const heading = t.html(title, { ...names, date: t.nearDate(view.until) });
    const drawn = () => ({ heading, alert: alert && t.html(alert), fields: hidden(view) });
    return {
      ...page,
      heading,
      title: t.text(title, { ...names, date: t.nearDay(view.until) }),
      consent: () => hostView(t, view, drawn()),
    };
  };
}

function titleOf({ asking, denied, client }: ConsentPage): TextKey {
  if (asking === 'asked') return 'consent.title.asked';
  return denied ? 'consent.title.denied' : `consent.title.${personAudience(client.audience)}`;
}

/** What happens now that the school was asked. */
function asked(t: Translator, { asking, requestsPath }: ConsentPage): Html | false {
  if (asking !== 'asked') return false;
  return html`${statusMessage(t, 'request.made')}${requestsPath !== undefined && html`<p><a href="${requestsPath}">${t.html('consent.asked.see')}</a></p>`}`;
}

/** `choice` says that scopes without a tick are refused. */
function hidden(view: ConsentPage): Html {
  return html`${hiddenFields(view, { shown: view.shown, choice: 'shown' })}`;
}

/** A decision of the school is not a warning. */
function rules(t: Translator, view: ConsentPage): Html | false {
  const all = ruleTexts(t, view);
  if (all.length === 0) return false;
  return html`<section class="rules" aria-labelledby="rules">
<h2 id="rules">${t.html('consent.rules', { school: view.site.name })}</h2>
${all.map((text) => html`<p>${text}</p>`)}
</section>`;
}

/** One box; its first line is its heading. */
function warning(t: Translator, view: ConsentPage): Html | false {
  const [first, ...others] = warningTexts(t, view);
  if (!first) return false;
  return html`<div class="notice" role="region" aria-labelledby="warning">${icon('warn', 'warn')}<div><h2 id="warning">${first}</h2>${others.map((line) => html`<p>${line}</p>`)}</div></div>`;
}
