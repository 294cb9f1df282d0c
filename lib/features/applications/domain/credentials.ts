import { randomBytes } from 'node:crypto';

/** What an application authenticates with. A public one, and one with keys, has no secret. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

export function newCredentials(hasSecret: boolean): Credentials {
  const clientId = `${prefix}${randomBytes(12).toString('base64url')}`;
  return { clientId, ...(hasSecret && { clientSecret: newSecret() }) };
}

const prefix = 'app-';

export function isApplicationId(clientId: string): boolean {
  return clientId.startsWith(prefix);
}

/** 256 random bits cannot be guessed, so an unsalted hash is safe to store. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
