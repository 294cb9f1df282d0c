import type { AppStatus } from '../../core/clients/client-status.ts';
import { icon, type IconName } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

interface Look {
  readonly className: StatusClass;
  readonly icon: IconName;
}

/** How the style names a status. */
export type StatusClass = 'allowed' | 'view-only' | 'needs-approval' | 'blocked';

/** How each status looks: never by its colour alone. */
const looks: Readonly<Record<AppStatus, Look>> = {
  allowed: { className: 'allowed', icon: 'check' },
  view_only: { className: 'view-only', icon: 'view' },
  needs_approval: { className: 'needs-approval', icon: 'clock' },
  blocked: { className: 'blocked', icon: 'block' },
};

/** The status of an app or client, beside its name: one word and one icon, the same everywhere. */
export function statusMark(t: Translator, status: AppStatus): Html {
  return stateMark(status, t.html(`status.${status}`));
}

/** The same look for what became of something else. */
export function stateMark(look: AppStatus, text: Html): Html {
  const { className, icon: name } = looks[look];
  return html`<span class="status ${className}">${icon(name)}${text}</span>`;
}

/** The same in a list, where most are allowed: those stay without it. */
export function statusNote(t: Translator, status: AppStatus): Html {
  return html`${status !== 'allowed' && html` ${statusMark(t, status)}`}`;
}
