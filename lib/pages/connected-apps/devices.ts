import type { Connection } from '../../contracts/connection.ts';
import type { AuditEvent } from '../../runtime/audit-event.ts';
import { secondsOf } from '../activity/sentences.ts';
import { html, type Html, shortName, type Translator } from '../kit/markup.ts';
import { hiddenFields, type MemberPageContext } from '../kit/member-page.ts';

interface DeviceView {
  readonly connection: Connection;
  /** The host's log, if it could be read. */
  readonly log: readonly AuditEvent[] | undefined;
}

/** Nothing is stored of a device but when it last received tokens; the log may know when and where its person signed in. */
export function deviceList(t: Translator, context: MemberPageContext, { connection, log }: DeviceView): Html | false {
  const { id, devices = [] } = connection;
  if (devices.length === 0) return false;
  const row = (device: (typeof devices)[number], i: number): Html => {
    const signIn = log?.find(
      ({ action, connectionId, familyId }) =>
        action === 'authorization.granted' && connectionId === id && familyId === device.id,
    );
    const number = { number: i + 1, count: devices.length };
    return html`<li><div><p>${deviceFacts(t, device.lastUsedAt, signIn)}</p></div>
<button class="small" type="submit" name="device" value="${device.id}" aria-label="${t.text('connected.device.end.one', number)}">${t.html('connected.device.end')}</button></li>
`;
  };
  return html`<section><h2>${t.html('connected.devices')}</h2>
<p class="soft">${t.html('connected.devices.about')}</p>
<form method="post" action="${context.path}/${id}">
${hiddenFields(context, { action: 'end-device' })}
<ul class="apps">${devices.map(row)}</ul>
</form></section>`;
}

function deviceFacts(t: Translator, lastUsedAt: number | undefined, signIn: AuditEvent | undefined): Html {
  const used = lastUsedAt !== undefined && t.html('connected.device.used', { time: t.moment(lastUsedAt) });
  if (!signIn) return used || t.html('connected.device.unknown');
  return html`${used && html`${used}<br>`}${signedIn(t, signIn)}`;
}

function signedIn(t: Translator, { address, ...event }: AuditEvent): Html {
  const time = t.moment(secondsOf(event));
  if (!address) return t.html('connected.device.signedIn', { time });
  return t.html('connected.device.from', { time, address: shortName(address) });
}
