import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../lib/contracts/json.ts';

/**
 * The SHA-256 digest, in base64url, of what a person consents to in a metadata document: its redirect URIs in any order,
 * its name and its keys. Other changes of the document do not change the digest.
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

/** JSON with the members of objects in alphabetical order. */
function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join()}}`;
}
