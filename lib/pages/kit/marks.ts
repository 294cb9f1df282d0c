import type { ProgramStatus } from '../../core/clients/client-status.ts';
import { icon, type IconName } from './icons.ts';
import { html, type Html, type Translator } from './markup.ts';

/** Beside a client that proves with a private key who it is: nobody else gets tokens in its name. */
export function keyMark(t: Translator): Html {
  return html`<span class="badge good">${t.html('client.key')}</span>`;
}

/** The same among the facts of a client. */
export function keyRow(t: Translator): readonly [Html, Html] {
  return [t.html('client.proof'), keyMark(t)];
}

/** Says that a metadata document was not fetched: what is shown is a copy of this day. */
export function copyMark(t: Translator, day: string): Html {
  // Towards noon it is the same day almost everywhere.
  const date = t.date(Date.parse(`${day}T11:00Z`) / 1000);
  return html`<span class="badge warn">${t.html('consent.publisher.copy', { date })}</span>`;
}

/** How each status looks: never by its colour alone. */
const looks: Readonly<Record<ProgramStatus, readonly [className: string, icon: IconName]>> = {
  allowed: ['allowed', 'check'],
  view_only: ['view-only', 'view'],
  needs_approval: ['needs-approval', 'clock'],
  blocked: ['blocked', 'block'],
};

/** The status of a program or client, beside its name. */
export function statusMark(t: Translator, status: ProgramStatus): Html {
  const [className, name] = looks[status];
  return html`<span class="status ${className}">${icon(name)}${t.html(`status.${status}`)}</span>`;
}

/** The same in a list, where most are allowed: those stay without it. */
export function statusNote(t: Translator, status: ProgramStatus): Html {
  return html`${status !== 'allowed' && html` ${statusMark(t, status)}`}`;
}
