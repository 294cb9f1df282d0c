import { heading } from '../../describe/guide-parts.ts';
import type { DescribedFeature } from '../../describe/service-description.ts';

export const pseudonymsDescription: DescribedFeature = {
  metadata: () => ({ subject_types_supported: ['public', 'pairwise'] }),
  claims: {
    subject_type: { const: 'pairwise', description: 'Present if `sub` is a pseudonym.' },
  },
  guide: () => [
    heading(2, 'Pseudonyms'),
    `The school, or the platform, can decide that a client knows people by pseudonyms (\`pairwise\`, OIDC Core section 8.1). Then \`sub\` is the same for a person each
time, in ID token, UserInfo and introspection, and another one for clients at other hosts and at other schools. \`name\`, \`picture\`, \`email\` and \`email_verified\` are there only
if the school has chosen \`profile\` or \`email\` for its own application; UserInfo has \`subject_type\`: \`pairwise\`. The access token is good for UserInfo only: other endpoints refuse it with
403 \`insufficient_scope\`. If a client becomes one of these, or is one no longer, a refresh gets \`invalid_grant\`: authorize again.`,
  ],
};
