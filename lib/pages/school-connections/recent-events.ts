import * as z from 'zod';
import { checkReturn } from '../../host/returned.ts';
import type { AuditEvent } from '../../runtime/audit-event.ts';
import { html, type Html } from '../kit/html.ts';
import { isolated, shortName, type Translator } from '../kit/translator.ts';
import { clientPath } from './client-path.ts';

const maxEvents = 20;

const eventSchema = z.object({
  time: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'be a time in ISO 8601'),
  action: z.string(),
  decision: z.enum(['allowed', 'refused']),
  reason: z.string().nullish(),
  actor: z.object({ kind: z.enum(['member', 'operator', 'client', 'anonymous']) }),
  clientId: z.string().nullish(),
});
const eventsSchema = z.array(eventSchema, 'be an array of audit events');

/** The events that are shown, of those that the host returned. @throws TypeError that names what is no event */
export function shownEvents(returned: readonly AuditEvent[]): readonly AuditEvent[] {
  const events = Array.isArray(returned) ? returned.slice(0, maxEvents) : returned;
  return checkReturn('pages.recentEvents()', eventsSchema, events);
}

/** What happened lately, from the host's own log; `undefined` if that could not be read. */
export function recentEvents(t: Translator, path: string, events: readonly AuditEvent[] | undefined): Html {
  return html`<section><h2>${t.html('school.events')}</h2>
${events === undefined && html`<p>${t.html('school.events.failed')}</p>`}
${events?.length === 0 && html`<p class="soft">${t.html('school.events.none')}</p>`}
${events && events.length > 0 && html`<ul class="events">${events.map((event) => row(t, path, event))}</ul>`}
</section>`;
}

/** Actions and reasons are words for programs, as in the log. */
function row(t: Translator, path: string, { time, action, decision, reason, actor, clientId }: AuditEvent): Html {
  const seconds = Math.floor(Date.parse(time) / 1000);
  return html`<li><code>${action}${reason ? `: ${reason}` : ''}</code>
<span class="badge ${decision === 'allowed' ? 'good' : 'warn'}">${t.html(`school.events.${decision}`)}</span><br>
<span class="soft">${t.moment(seconds)} · ${t.html(`school.events.by.${actor.kind}`)}${clientId ? html` · <a href="${clientPath(path, clientId)}">${isolated(shortName(clientId))}</a>` : ''}</span></li>`;
}
