import { randomBytes } from 'node:crypto';
import type { PublicKeys } from '../protocol/client-keys.ts';

/** What an application authenticates with. A public one and one with keys have no secret. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

export function newCredentials({
  confidential = true,
  publicKeys,
}: {
  readonly confidential?: boolean | undefined;
  readonly publicKeys?: PublicKeys | undefined;
}): Credentials {
  const clientId = `${prefix}${randomBytes(12).toString('base64url')}`;
  return { clientId, ...(confidential && publicKeys === undefined && { clientSecret: newSecret() }) };
}

const prefix = 'app-';

export function isApplicationId(clientId: string): boolean {
  return clientId.startsWith(prefix);
}

/** 256 random bits cannot be guessed, so an unsalted hash is safe to store. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
