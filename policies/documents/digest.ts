import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../lib/contracts/json.ts';

/**
 * A digest of what a person consents to in a metadata document: its redirect URIs, in any order, its name and its keys.
 * SHA-256 in base64url. Whatever else changes in the document leaves it as it is.
 */
export function documentDigest(document: JsonObject): string {
  const { redirect_uris: uris, client_name: name, jwks, jwks_uri: jwksUri } = document;
  const content = {
    client_name: name,
    jwks,
    jwks_uri: jwksUri,
    redirect_uris: Array.isArray(uris) ? uris.map((uri) => canonical(uri)).sort() : uris,
  };
  return createHash('sha256').update(canonical(content)).digest('base64url');
}

/** One text for one value, whatever the order of members. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join()}}`;
}
