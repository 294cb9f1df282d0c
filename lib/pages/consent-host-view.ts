import type { ConsentView, AskedPermission } from './kit/consent-view.ts';
import { limitFields } from './kit/limits.ts';
import { decisionsOn, summary, tickedIn } from './consent-choice.ts';
import { type ConsentPage, facts, ruleTexts } from './consent-parties.ts';
import { warningTexts } from './consent-trust.ts';
import { seenRows } from './kit/always-sees.ts';
import { type Html, shortName, type Translator } from './kit/markup.ts';
import { isIdentity } from './kit/permissions.ts';

interface Drawn {
  readonly heading: Html;
  readonly alert: Html | undefined;
  readonly fields: Html;
}

/** The consent page as what it says: for a host that draws its own. */
export function hostView(t: Translator, page: ConsentPage, { heading, alert, fields }: Drawn): ConsentView {
  const { site, member, client, logo, denied, until, switchAccountUrl, action } = page;
  const sees = { scopes: [...page.scopes, ...page.beyond], open: page.open, school: site.name, member };
  return {
    site,
    language: t.language,
    direction: t.direction,
    member,
    client: { ...client, clientName: shortName(client.clientName) },
    logo,
    heading,
    problem: alert,
    summary: denied ? undefined : summary(t, page),
    facts: facts(t, page).map(([name, value]) => ({ name, value })),
    warnings: denied ? [] : warningTexts(t, page),
    rules: [...(page.asking === 'asked' ? [t.html('request.made')] : []), ...ruleTexts(t, page)],
    permissions: denied ? [] : permissions(t, page),
    limits: denied ? [] : page.limits.map((shown) => limitFields(t, [shown])),
    sees: denied ? [] : seenRows(t, sees),
    until,
    switchAccountUrl,
    form: { action, fields },
    decisions: denied
      ? [
          ...(page.asking === 'possible' ? [{ value: 'ask', text: t.html('consent.ask.school') } as const] : []),
          { value: 'deny', text: t.html('consent.back', { client: shortName(client.clientName) }) },
        ]
      : decisionsOn(t.catalogue, page).map(({ value, text }) => ({
          value,
          text: t.html(text, { client: shortName(client.clientName) }),
        })),
  };
}

function permissions(t: Translator, page: ConsentPage): readonly AskedPermission[] {
  const { scopes, beyond, before } = page;
  const isTicked = tickedIn(page, t.catalogue);
  const rows = t.catalogue.rows.filter(({ scope }) => scopes.includes(scope) || beyond.includes(scope));
  return rows.map(({ scope, area, access, marks = [] }) => {
    const required = isIdentity(scope);
    return {
      scope,
      text: t.scope(scope),
      area: t.html(`area.${area}`),
      access,
      required,
      ticked: required || isTicked(scope),
      approval: beyond.includes(scope),
      earlier: before.allowed.has(scope) ? 'allowed' : before.declined.has(scope) ? 'declined' : undefined,
      marks,
    };
  });
}
