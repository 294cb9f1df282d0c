import type { LookupAddress } from 'node:dns';

/** Ways around the rules of the network, for tests and for nothing else. */
export interface DocumentTesting {
  /** Stands in for the resolver. */
  readonly resolve?: ((host: string) => Promise<readonly LookupAddress[]>) | undefined;
  /** Certificates to trust instead of the system's, PEM. */
  readonly ca?: string | undefined;
  /** Connect to addresses that are not public. @default false */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Connect to this port, whatever the URL says. */
  readonly port?: number | undefined;
}
