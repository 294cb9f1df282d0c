import { personAudience } from '../core/clients/client-metadata.ts';
import { endGrants } from '../core/grants/changes.ts';
import { connectAgainPage } from '../pages/connect-again-page.ts';
import { redirectSeeOther } from '../pages/kit/pages.ts';
import { grantIdOf } from '../records/codec.ts';
import type { Interaction } from './interaction.ts';
import { digestOfPage, type PendingConsent } from './pending-consent.ts';

/** In place of the consent page: says that what the connection was limited to is gone, and offers to begin again. */
export function showConnectAgain(interaction: Interaction, pending: PendingConsent): Promise<void> {
  const { member, client } = pending;
  const shown = digestOfPage(pending);
  const csrf = interaction.options.csrfTokens.issue(interaction.csrfBinding(member.id, shown));
  const action = new URL(interaction.url()).pathname;
  return interaction.send(connectAgainPage({ clientName: client.clientName, action, csrf, shown }));
}

/** Ends the connection, as the person does on the page of their apps, and shows the consent page of a new one. */
export async function connectAgain(interaction: Interaction, { member, client }: PendingConsent): Promise<void> {
  const { core } = interaction.options;
  const { ctx, site } = interaction.route;
  const { clientId, audience, app } = client;
  const grantId = grantIdOf(member.id, clientId);
  const actor = { kind: personAudience(audience), id: member.id };
  await endGrants(
    { store: core.records.store, onAudit: core.audit.onAudit },
    site.id,
    { memberId: member.id, grantId },
    { actor, memberId: member.id, clientId, app: app?.id, connectionId: grantId },
  );
  redirectSeeOther(ctx, interaction.url());
}
