import { documentRoute, textDocument } from '../../http/send.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { paths } from '../../http/paths.ts';
import { html, type Html, type Translator } from './markup.ts';

/** A read-only value, on as many lines as it needs. The script below adds a button to copy it. */
export function copyField(t: Translator, id: string, name: TextKey, value: string): Html {
  return html`<div class="field"><label for="${id}">${t.html(name)}</label>
<div class="copy"><textarea id="${id}" rows="2" readonly dir="ltr" spellcheck="false">
${value}</textarea>
${copyButton(t, id, t.text(name))}</div></div>`;
}

/** @param label - `hidden` where a heading above has the name */
export function copyText(t: Translator, id: string, name: string, text: string, label?: 'hidden'): Html {
  return html`<div class="field code"><label for="${id}"${label && html` class="hide"`}>${name}</label>
<textarea id="${id}" rows="${Math.min(text.split('\n').length, 12)}" readonly dir="ltr" wrap="off" spellcheck="false">
${text}</textarea>
<div class="copy">${copyButton(t, id, name)}</div></div>`;
}

function copyButton(t: Translator, id: string, name: string): Html {
  return html`<button type="button" hidden data-copy="${id}" data-copied="${t.text('secret.copied')}" aria-label="${t.text('pair', { name: t.text('secret.copy'), value: name })}">${t.html('secret.copy')}</button><span class="soft" role="status" id="${id}-copied"></span>`;
}

/** A button for a text that the page shows in another form. */
export function copyHidden(t: Translator, id: string, name: TextKey, text: string): Html {
  return html`<textarea id="${id}" hidden>
${text}</textarea>
<div class="copy">${copyButton(t, id, t.text(name))}</div>`;
}

export const copyScriptPath = paths.pageScript;

/** Reveals the copy buttons. Without it, members select the text in the fields. */
const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
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

/** Asks for the page again, less and less often, and at most 12 times. Without it, the page has a link. */
const liveScript = `const live = document.getElementById('live');
if (live) {
  let [wait, asked] = [2000, 0];
  const plan = () => {
    live.dataset.asked = asked;
    if (asked++ < 12 && !('over' in live.dataset)) setTimeout(look, (wait *= 1.5));
  };
  const look = async () => {
    try {
      const response = await fetch(location.href, { redirect: 'error' });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const now = page.getElementById('live');
      if (now && now.textContent !== live.textContent) {
        live.replaceChildren(...now.childNodes);
        document.title = page.title;
        document.querySelector('h1').replaceChildren(...page.querySelector('h1').childNodes);
      }
      if (now && 'over' in now.dataset) live.dataset.over = '';
    } catch {}
    plan();
  };
  plan();
}
`;

const script = textDocument('text/javascript; charset=utf-8', copyScript + liveScript);

export const copyScriptRoute = documentRoute(paths.pageScript, () => script);
