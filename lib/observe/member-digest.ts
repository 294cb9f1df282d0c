import { hash } from 'node:crypto';

/** Stands for a person who was erased: it shows no id, and is found again by who knows the id. SHA-256 of school and member. */
export function memberDigest(siteId: string, memberId: string): string {
  return hash('sha256', `${siteId}\0${memberId}`, 'hex');
}
