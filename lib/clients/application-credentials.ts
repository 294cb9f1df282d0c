import { randomBytes } from 'node:crypto';

const prefix = 'app-';

export function newClientId(): string {
  return `${prefix}${randomBytes(12).toString('base64url')}`;
}

export function isApplicationId(clientId: string): boolean {
  return clientId.startsWith(prefix);
}

/** 256 random bits cannot be guessed, so an unsalted hash is safe to store. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
