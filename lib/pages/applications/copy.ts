import type { TextKey } from '../../i18n/texts.ts';
import { html, type Html, type Translator } from '../kit/markup.ts';

/** A read-only value. The script below adds a button to copy it. */
export function copyField(t: Translator, id: string, name: TextKey, value: string): Html {
  return html`<div class="field"><label for="${id}">${t.html(name)}</label>
<div class="copy"><input type="text" id="${id}" value="${value}" readonly dir="ltr" autocomplete="off" spellcheck="false">
${copyButton(t, id, t.text(name))}</div></div>`;
}

export function copyText(t: Translator, id: string, name: string, text: string): Html {
  return html`<div class="field code"><label for="${id}">${name}</label>
<textarea id="${id}" rows="${Math.min(text.split('\n').length, 12)}" readonly dir="ltr" wrap="off" spellcheck="false">
${text}</textarea>
<div class="copy">${copyButton(t, id, name)}</div></div>`;
}

function copyButton(t: Translator, id: string, name: string): Html {
  return html`<button type="button" hidden data-copy="${id}" data-copied="${t.text('secret.copied')}" aria-label="${t.text('secret.copy')}: ${name}">${t.html('secret.copy')}</button><span class="soft" role="status" id="${id}-copied"></span>`;
}

export function copyScriptPath(path: string): string {
  return `${path}/copy.js`;
}

/** Reveals the copy buttons. Without it, members select the text in the fields. */
export const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const field = document.getElementById(button.dataset.copy);
  const status = document.getElementById(button.dataset.copy + '-copied');
  button.hidden = false;
  button.addEventListener('click', async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    status.textContent = button.dataset.copied;
    setTimeout(() => (status.textContent = ''), 4000);
  });
}
`;
