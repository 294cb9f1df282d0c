import type { PublicJwk } from '../protocol/client-keys.ts';

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
