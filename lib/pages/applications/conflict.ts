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
    return html`<li><a href="#${anchor}">${t.html(label)}</a><br>${t.html('conflict.saved')} ${list(t, now)}<br>${t.html('conflict.entered')} ${list(t, here)}</li>`;
  });
  return html`<div class="problems" role="alert" tabindex="-1" autofocus>
<h2>${t.html('conflict.title')}</h2>
<p>${t.html('conflict.text')}</p>
${rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>${t.html('conflict.same')}</p>`}
</div>`;
}

function linesOf(t: Translator, values: FormValues, field: (typeof compared)[number]): readonly Html[] {
  if (field === 'scopes') return values.scopes.filter(t.catalogue.has).map((scope) => t.ofPeople(`scope.${scope}`));
  const text = values[field].trim();
  return text === '' ? [] : text.split(/\s*\n\s*/).map(isolated);
}

/** Whatever the order. */
function sameLines(...both: readonly (readonly Html[])[]): boolean {
  const [a, b] = both.map((lines) =>
    lines
      .map(({ text }) => text)
      .sort()
      .join('\n'),
  );
  return a === b;
}

function list(t: Translator, lines: readonly Html[]): Html {
  if (lines.length === 0) return t.html('conflict.empty');
  return html`${lines.map((line, i) => html`${i > 0 && ', '}${line}`)}`;
}
