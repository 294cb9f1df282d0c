import type { LookupAddress } from 'node:dns';

/** Exceptions from the rules for what is fetched. For tests only: they disable protections. */
export interface NetworkExceptions {
  /** Replaces the DNS resolver. @default the name servers of `node:dns` */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
  /** CA certificates to trust, PEM. @default the system's */
  readonly ca?: string | undefined;
  /** Whether to connect to addresses that are not public. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** The port to connect to. @default the port of the URL */
  readonly port?: number | undefined;
}
