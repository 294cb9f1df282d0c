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
import { limitAlert } from './kit/limits.ts';
import { needsWidth } from './kit/permissions.ts';
import { problem as problemBox } from './kit/problems.ts';
import { parties } from './kit/tile.ts';

/** Specification: What the service does 7. */
export function consentPage(view: ConsentPage): PageBuilder {
  const { client, site, scopes, beyond, denied, problem, limitProblem, stale } = view;
  const audience = personAudience(client.audience);
  const context = { ...view, page: 'consent' } as const;
  const names = { client: shortName(client.clientName), school: site.name };
  const title: TextKey = denied ? refusedTitle(view) : `consent.title.${audience}`;
  const isWrong = problem !== undefined || limitProblem !== undefined;
  const build = memberPage(context, {
    title,
    values: names,
    status: stale ? 409 : view.asking === 'asked' ? 200 : denied ? 403 : isWrong ? 400 : 200,
    hasProblems: stale !== undefined || isWrong,
    wide: !denied && (needsWidth(scopes) || needsWidth(beyond)),
    above: denied ? refusedTile(view) : parties(client, site, view.logo),
    body: (t) => {
      const box = alertBox(t, view);
      return denied ? html`${box}${refusedBody(t, view, hidden(view))}` : question(t, view, box);
    },
  });
  return (t) => {
    const page = build(t);
    const { heading } = page;
    const lead =
      !denied && html`<p class="lead">${t.html(`consent.lead.${audience}`, { date: t.nearDate(view.until) })}</p>`;
    const drawn = () => ({ heading, alert: alertText(t, view), fields: hidden(view) });
    return { ...page, belowHeading: lead, consent: () => hostView(t, view, drawn()) };
  };
}

/** Why what was posted decides nothing. */
function alertText(t: Translator, { stale, problem, limitProblem, limits }: ConsentPage): Html | undefined {
  if (stale) return changeText(t, stale);
  return limitProblem ? limitAlert(t, limitProblem, limits) : problem && t.html(problem);
}

/** The same in a box, as a link to the field that is wrong. */
function alertBox(t: Translator, page: ConsentPage): Html | undefined {
  const text = alertText(t, page);
  if (!text || page.stale) return text && problemBox(text);
  const id = page.limitProblem ? `limits.${page.limitProblem.type}` : 'scope.problem';
  return problemBox(html`<a href="#${id}">${text}</a>`);
}

function changeText(t: Translator, stale: StaleConsent): Html {
  return typeof stale === 'string' ? t.html(`review.stale.${stale}`) : staleText(t, stale);
}

/** Who asks, what it can do, and the buttons. All of it is in the form, so that its buttons are in view from the beginning. */
function question(t: Translator, view: ConsentPage, alert: Html | undefined): Html {
  const known = facts(t, view).map(([term, value]) => fact(term, value));
  return html`<form class="decide" method="post" action="${view.action}">
${hidden(view)}
${alert}
${trust(t, view)}
${rules(t, view)}
${choice(t, view, technicalDetails(t, known))}
${decisions(t, view)}
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
