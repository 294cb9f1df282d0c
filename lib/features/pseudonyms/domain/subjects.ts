import { createHmac } from 'node:crypto';
import type { Subjects } from '../../../core/clients/subjects.ts';
import { siteSecret } from '../../../core/keys/keys.ts';
import type { PseudonymSettings } from './option.ts';

/**
 * Pseudonyms with the key of the platform. Nothing is stored: the same person has the same one at all clients of a sector of a school, whatever keys
 * sign. OIDC Core section 8.1.
 */
export function pairwiseSubjects({ pseudonyms: options }: PseudonymSettings): Partial<Subjects> {
  if (!options) return {};
  return {
    pseudonymOf: (siteId, sector, memberId) =>
      createHmac('sha256', siteSecret(options.key, siteId, 'pseudonyms'))
        .update(JSON.stringify([sector, memberId]))
        .digest('base64url'),
  };
}
