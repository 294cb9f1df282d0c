import { visibleTo } from '../../host/claims.ts';
import { replacedScopes } from '../../i18n/texts.ts';
import { identityScopes, type Scope } from '../../protocol/scopes.ts';
import { html, type Html } from './html.ts';
import type { Translator } from './translator.ts';

interface Seen {
  /** The scopes of the client. */
  readonly scopes: readonly Scope[];
  /** Whether tokens read the Member API here. */
  readonly memberApi: boolean;
  readonly school: string;
}

/** The section of what a client sees without being allowed it, also by what the host says that an identity scope gives here. */
export function alwaysSees(t: Translator, { scopes, memberApi, school }: Seen): Html | false {
  const replaced = replacedScopes(t.catalogue).filter(
    (scope) => identityScopes.includes(scope) && scopes.includes(scope),
  );
  const rows = [
    ...visibleTo(scopes, { memberApi }).map((row) => t.html(`sees.${row}`, { school })),
    ...replaced.map((scope) => t.scope(scope)),
  ];
  return (
    rows.length > 0 &&
    html`<section class="sees" aria-labelledby="sees">
<h2 id="sees">${t.html('sees.title')}</h2>
<ul>${rows.map((row) => html`<li>${row}</li>`)}</ul>
</section>`
  );
}
