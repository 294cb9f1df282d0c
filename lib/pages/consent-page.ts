import { personAudience } from '../core/clients/client-metadata.ts';
import { choice, decisions } from './consent-choice.ts';
import { type ConsentPage, facts, ruleTexts, type StaleConsent } from './consent-parties.ts';
import { refusedBody, refusedTile, refusedTitle } from './consent-refused.ts';
import { trust } from './consent-trust.ts';
import { hostView } from './consent-host-view.ts';
import { technicalDetails } from './kit/error-page.ts';
import type { TextKey } from '../i18n/texts.ts';
import { staleText } from './kit/conflict.ts';
import { fact } from './kit/facts.ts';
import { html, type Html, shortName, type Translator } from './kit/markup.ts';
import { hiddenFields, memberPage } from './kit/member-page.ts';
import type { PageBuilder } from './kit/pages.ts';
import { needsWidth } from './kit/permissions.ts';
import { problem as problemBox } from './kit/problems.ts';
import { parties } from './kit/tile.ts';

/** Specification: What the service does 7. */
export function consentPage(view: ConsentPage): PageBuilder {
  const { client, site, scopes, beyond, denied, problem, stale } = view;
  const context = { ...view, page: 'consent' } as const;
  const names = { client: shortName(client.clientName), school: site.name };
  const title: TextKey = denied ? refusedTitle(view) : `consent.title.${personAudience(client.audience)}`;
  const build = memberPage(context, {
    title,
    // The date is added below, since the heading marks it up.
    values: { ...names, date: '' },
    status: stale ? 409 : view.asking === 'asked' ? 200 : denied ? 403 : problem ? 400 : 200,
    hasProblems: stale !== undefined || problem !== undefined,
    wide: !denied && (needsWidth(scopes) || needsWidth(beyond)),
    above: denied ? refusedTile(view) : parties(client, site, view.logo),
    body: (t) => {
      const alert = alertText(t, view);
      return html`
${alert && problemBox(alert)}
${denied ? refusedBody(t, view, hidden(view)) : question(t, view)}`;
    },
  });
  return (t) => {
    const page = build(t);
    const heading = t.html(title, { ...names, date: t.nearDate(view.until) });
    const drawn = () => ({ heading, alert: alertText(t, view), fields: hidden(view) });
    return {
      ...page,
      heading,
      title: t.text(title, { ...names, date: t.nearDay(view.until) }),
      consent: () => hostView(t, view, drawn()),
    };
  };
}

/** Why what was posted decides nothing. */
function alertText(t: Translator, { stale, problem }: ConsentPage): Html | undefined {
  return stale ? changeText(t, stale) : problem && t.html(problem);
}

function changeText(t: Translator, stale: StaleConsent): Html {
  return typeof stale === 'string' ? t.html(`review.stale.${stale}`) : staleText(t, stale);
}

/** Who asks, what it may do, and the buttons. */
function question(t: Translator, view: ConsentPage): Html {
  return html`${trust(t, view)}
${rules(t, view)}
<form method="post" action="${view.action}">
${hidden(view)}
<div class="decide">${choice(
    t,
    view,
    technicalDetails(
      t,
      facts(t, view).map(([term, value]) => fact(term, value)),
    ),
  )}${decisions(t, view)}</div>
</form>`;
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
