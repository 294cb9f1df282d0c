import type { TextKey } from '../../i18n/texts.ts';
import type { TextValues } from '../../i18n/translations.ts';
import { icon, type IconName } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

type Tone = 'plain' | 'good' | 'warn';

const icons: Readonly<Record<Tone, IconName>> = { plain: 'view', good: 'check', warn: 'warn' };

/** A message in a box. A page has one at most: what matters most. */
export function notice(tone: Tone, content: Html, name: IconName = icons[tone]): Html {
  return html`<p class="notice ${tone}">${icon(name, tone === 'plain' ? undefined : tone)}<span>${content}</span></p>`;
}

/** The same of several lines. */
export function noticeBlock(tone: Tone, content: Html): Html {
  return html`<div class="notice ${tone}">${icon(icons[tone], tone === 'plain' ? undefined : tone)}<div>${content}</div></div>`;
}

/** Confirms what the previous request did, and has the focus; nothing without a key. A refusal is `plain`. */
export function statusMessage(
  t: Translator,
  key: TextKey | undefined,
  values?: TextValues,
  tone: 'good' | 'plain' = 'good',
): Html | false {
  const mark = tone === 'good' ? icon('check', 'good') : icon('block');
  return (
    key !== undefined &&
    html`<p class="notice ${tone}" role="status" tabindex="-1" autofocus>${mark}<span>${t.html(key, values)}</span></p>`
  );
}
