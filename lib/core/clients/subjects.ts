import { isMetadataDocumentId } from './client-id.ts';
import { isFixedCallback } from './client-fields.ts';
import type { ClientMetadata } from '../../records/codec.ts';
import type { JsonMembers } from '../../kernel/json.ts';

/** The names under which clients know people. Features make it. */
export interface Subjects {
  /** The pseudonym of a person for the clients of a sector. Absent where everybody is known by their id. */
  readonly pseudonymOf: ((siteId: string, sector: string, memberId: string) => string) | undefined;
}

/** Whether a client knows people by pseudonyms, whatever the rules say. An app that brings its metadata itself has none: only a rule gives it pseudonyms. */
export function isPairwise({ campus_source: source, campus_subject: subject }: JsonMembers): boolean {
  return source !== 'document' && source !== 'registered' && subject === 'pairwise';
}

/** Where no feature gives pseudonyms. */
export const noSubjects: Subjects = { pseudonymOf: undefined };

/**
 * Clients of one sector know a person by the same pseudonym: those that send people back to one host, which belongs to somebody. Any other client
 * is a sector of its own. OIDC Core section 8.1.
 */
export function sectorOf({ client_id: clientId, redirect_uris: uris = [] }: ClientMetadata): string {
  if (isMetadataDocumentId(clientId)) return documentSector(clientId);
  const hosts = new Set(uris.map((uri) => (isFixedCallback(uri) ? new URL(uri).host : '')));
  const [host = ''] = hosts;
  return hosts.size === 1 && host !== '' ? `host ${host}` : `client ${clientId}`;
}

/** A document and its redirect URIs are at one host. */
export function documentSector(clientId: string): string {
  return `host ${new URL(clientId).host}`;
}
