import { html, type Html } from '../kit/html.ts';
import { isolated, type Translator } from '../kit/translator.ts';
import { fields, type FormValues } from './form.ts';

const compared = ['clientName', 'redirectUris', 'clientUri', 'scopes'] as const;

/** Above the form: what another operator has saved, beside what this one has entered. Screen readers announce it. */
export function conflictSummary(t: Translator, saved: FormValues, entered: FormValues): Html {
  const rows = compared.flatMap((field) => {
    const both = [saved, entered].map((values) => linesOf(t, values, field));
    const [now = [], here = []] = both;
    if (sameLines(now, here)) return [];
    const { label, anchor } = fields[field];
    return html`<li><a href="#${anchor}">${t.text(label)}</a><br>${t.text('conflict.saved')} ${list(t, now)}<br>${t.text('conflict.entered')} ${list(t, here)}</li>`;
  });
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${t.text('conflict.title')}</h2>
<p>${t.text('conflict.text')}</p>
${rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>${t.text('conflict.same')}</p>`}
</div>`;
}

function linesOf(t: Translator, values: FormValues, field: (typeof compared)[number]): readonly string[] {
  if (field === 'scopes') return values.scopes.filter(t.catalogue.has).map((scope) => t.scope(scope));
  const text = values[field].trim();
  return text === '' ? [] : text.split(/\s*\n\s*/);
}

/** Whatever the order. */
function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join('\n') === [...b].sort().join('\n');
}

function list(t: Translator, lines: readonly string[]): Html {
  if (lines.length === 0) return html`${t.text('conflict.empty')}`;
  return html`${lines.map((line, i) => html`${i > 0 && ', '}${isolated(line)}`)}`;
}
