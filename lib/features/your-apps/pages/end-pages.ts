import type { Connection } from '../../../core/connections/connection.ts';
import { html, isolated, shortName } from '../../../pages/kit/markup.ts';
import { confirmPage, memberPage, type MemberPageContext } from '../../../pages/kit/member-page.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { receipt } from '../../../pages/kit/receipt.ts';
import { roundTile } from '../../../pages/kit/tile.ts';

/** Asks before an app is disconnected, since that cannot be undone. */
export function confirmEndPage(context: MemberPageContext, { id, clientName }: Connection): PageBuilder {
  const values = { client: shortName(clientName) };
  const page = `${context.path}/${id}`;
  return confirmPage(context, 'connected.confirm.one', { values, button: 'connected.end', action: 'end', page });
}

/** What was disconnected, as the proof in the address has it. */
export interface Ended {
  readonly name: string;
  /** In seconds since the epoch. */
  readonly at: number;
  /** How many devices were signed in. */
  readonly devices: number;
  /** Empty if its makers are not known. */
  readonly host: string;
}

/** What has just ended, what it means, and what it does not. */
export function endedPage(context: MemberPageContext, { name, at, devices, host }: Ended): PageBuilder {
  const client = shortName(name);
  return memberPage(context, {
    title: 'connected.receipt.title',
    values: { client },
    above: roundTile('check', 'allowed'),
    body: (t) =>
      receipt({
        text: t.html('connected.receipt.text', { school: context.site.name }),
        facts: [
          [t.html('connected.receipt.when'), t.nearMoment(at)],
          ...(devices > 0
            ? [[t.html('connected.receipt.out'), t.html('connected.receipt.devices', { count: devices })] as const]
            : []),
          [
            t.html('connected.receipt.keeps'),
            host === ''
              ? t.html('connected.receipt.keeps.text')
              : t.html('connected.receipt.keeps.host', { host: isolated(host) }),
          ],
        ],
        actions: html`<div class="actions stack"><a class="button primary" href="${context.path}">${t.html('connected.title')}</a></div>`,
        note: t.html('connected.receipt.again', { client }),
      }),
  });
}
