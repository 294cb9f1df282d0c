import type { Connection } from '../contracts/connection.ts';
import { isMetadataDocumentId } from '../protocol/client-id.ts';
import type { ClientMetadata } from '../records/kinds.ts';

type Described = Pick<Connection, 'clientId' | 'clientName' | 'host' | 'source' | 'firstParty' | 'audience'>;

/** A client as people see it, if it still exists. */
export function describeClient(clientId: string, client: ClientMetadata | undefined): Described {
  const source = isMetadataDocumentId(clientId) ? 'document' : (client?.campus_source ?? 'static');
  const website = source === 'document' ? clientId : source === 'registered' ? undefined : client?.client_uri;
  return {
    clientId,
    clientName: client?.client_name || clientId,
    host: website === undefined ? undefined : URL.parse(website)?.host,
    source,
    firstParty: source === 'static' && client?.campus_first_party === true,
    audience: client?.campus_audience ?? 'operator',
  };
}
