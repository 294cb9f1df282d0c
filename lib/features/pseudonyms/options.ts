import * as z from 'zod';
import type { ClientProperty } from '../../core/enabled/client-property.ts';

/** Which clients know people by pseudonyms. */
export const subjectProperty: ClientProperty = {
  member: 'subject',
  option: 'pseudonyms',
  schema: z.literal('pairwise', 'be "pairwise"'),
  problem: (value) =>
    value === 'pairwise' ? undefined : { reason: `must be "pairwise", not ${JSON.stringify(value)}` },
  stored: 'campus_subject',
  read: (stored) => (stored === 'pairwise' ? stored : undefined),
  scopes: ['openid', 'profile', 'email'],
  asksAgain: true,
  whenOff: {
    /** A school has applications or rules with pseudonyms, but the option `pseudonyms` is not set. */
    id: 'pseudonyms-off',
    fix: 'set the option pseudonyms again, with the same key. Without it these clients get no tokens, because they must not learn who a person is',
  },
};
