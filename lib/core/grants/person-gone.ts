import type { Site } from '../../host/school-platform.ts';
import type { Core } from '../core.ts';
import { endGrants } from './changes.ts';

interface GonePerson {
  readonly memberId: string;
  /** The client whose request has shown that the person is gone. */
  readonly clientId: string;
}

/**
 * Ends what a person has connected at a school where the platform no longer knows them. Otherwise the next person with the same id would
 * have it.
 */
export async function endOfPerson(
  { host, records, audit }: Core,
  site: Site,
  { memberId, clientId }: GonePerson,
): Promise<void> {
  // The first answer can be seconds old, and the id somebody else's by now, with connections of their own.
  if (await host.platform.findMember(site, memberId)) return;
  const details = { actor: { kind: 'client', id: clientId }, reason: 'person_gone', memberId } as const;
  await endGrants({ store: records.store, onAudit: audit.onAudit }, site.id, { memberId }, details);
}
