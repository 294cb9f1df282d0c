import { identityOf, isMadeHere } from '../../../core/access/app.ts';
import type { ClientListOptions } from '../../../core/access/client-rows.ts';
import { reviewIn } from '../../../core/access/review.ts';
import { clientRecords, type DocumentRecords, type SchoolRecords } from '../../../core/access/school-records.ts';
import { clientVersion } from '../../../core/access/used-client.ts';
import type { Site } from '../../../host/school-platform.ts';
import type { ClientMetadata } from '../../../records/codec.ts';

/** The version of a client that a school reviews: what people were shown to review, otherwise what they have connected. */
export function reviewedVersion(
  records: SchoolRecords,
  clientId: string,
  client: ClientMetadata | undefined,
): DocumentRecords | undefined {
  return records.shownOf(clientId) ?? connectedVersion(records, clientId, client);
}

/** The same, looked up. */
export async function findReviewed(
  options: ClientListOptions,
  site: Site,
  clientId: string,
): Promise<DocumentRecords | undefined> {
  const client = await options.clients(site.id, clientId, 'identify');
  return reviewedVersion(await clientRecords(options, site, clientId, undefined), clientId, client);
}

/** What the platform or the school has made needs no review. */
function connectedVersion(
  { active, ofSchool }: SchoolRecords,
  clientId: string,
  client: ClientMetadata | undefined,
): DocumentRecords | undefined {
  const noted = active.get(clientId);
  if (!client || !noted || isMadeHere(identityOf(client))) return undefined;
  const { client_name, redirect_uris } = client;
  const shown = { client_id: clientId, client_name, redirect_uris, digest: clientVersion(client), at: noted.at };
  return { shown, review: reviewIn(ofSchool.recordOf({ clientId })) };
}
