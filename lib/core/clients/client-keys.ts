import { type KeyMetadata, keysIn, keyText, namedKey, type PublicJwk } from '../keys/public-keys.ts';
import type { JsonMembers } from '../../kernel/json.ts';
import { optional, text } from '../../records/codec.ts';
import { digest } from '../../kernel/crypto.ts';
import { markOf, secretDigests } from './client-metadata.ts';

/** For which client, at which school, keys are looked for. */
interface WantedKeys {
  readonly siteId: string;
  readonly clientId: string;
  readonly address: string;
  /** The key that an assertion names, if it names one. */
  readonly kid: string | undefined;
  /** Whether somebody at the school, or the platform, has chosen the address. */
  readonly used: boolean;
}

/**
 * Finds the keys that a client publishes at an address. They are fetched at most every 10 minutes, and once more for a key that is
 * not among them.
 *
 * @throws InvalidClient if there is no key set at the address, TemporarilyUnavailable if that is not known
 */
export type KeyFinder = (wanted: WantedKeys) => Promise<readonly PublicJwk[]>;

/** The keys of a client, or where it publishes them. */
export function keysOf(client: JsonMembers): KeyMetadata {
  const address = optional(client, 'jwks_uri', text);
  if (address !== undefined) return { jwks_uri: address };
  return client['jwks'] === undefined ? {} : { jwks: { keys: keysIn(client['jwks']) } };
}

/** The mark of the key of this name, or of the address where the keys are; `undefined` if that is not clear. */
export function keyMark({ jwks, jwks_uri: address }: KeyMetadata, kid: unknown): string | undefined {
  if (address !== undefined) return markOf(digest(address));
  const key = namedKey(jwks?.keys ?? [], kid);
  return key && markOf(digest(keyText(key)));
}

/** The marks of all that a client can authenticate with now. */
export function marksOf(client: JsonMembers): string[] {
  const { secretDigest, previous } = secretDigests(client, optional(client, 'client_secret', text));
  const secrets = [secretDigest, previous?.digest].flatMap((each) => (each === undefined ? [] : [markOf(each)]));
  const keys = keysOf(client);
  const ofKeys = keys.jwks
    ? keys.jwks.keys.map((key) => keyMark({ jwks: { keys: [key] } }, key.kid))
    : [keyMark(keys, '')];
  return [...secrets, ...ofKeys.filter((mark) => mark !== undefined)];
}
