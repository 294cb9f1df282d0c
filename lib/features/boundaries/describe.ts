import { heading, type Part } from '../../describe/guide-parts.ts';
import type { DescribedFeature, ServiceDescription } from '../../describe/service-description.ts';
import { objectSchema } from '../../describe/schema-parts.ts';
import { optional } from '../../kernel/request-parameter.ts';
import { detailsParameter } from './domain/asked-limits.ts';
import { maxCharacters } from './domain/limits.ts';
import type { Site } from '../../host/school-platform.ts';

export const boundariesDescription: DescribedFeature = {
  // RFC 9396 section 10.
  metadata: (_origin, policies) => ({
    authorization_details_types_supported: policies.boundaries.map(({ type }) => type),
  }),
  authorizeParameters: [
    {
      ...optional(
        detailsParameter,
        'What the client wants to be limited to: a JSON array of objects with `type`, which the metadata lists, and `identifiers`. The person decides (RFC 9396).',
      ),
      maxLength: maxCharacters,
    },
  ],
  tokenMembers: {
    authorization_details: {
      type: 'array',
      description: 'What the person has limited the client to; absent if they have not (RFC 9396).',
      items: objectSchema({
        type: { type: 'string' },
        identifiers: { type: 'array', items: { type: 'string' }, minItems: 1 },
      }),
    },
  },
  errors: [
    {
      error: 'invalid_authorization_details',
      status: 400,
      redirected: true,
      when: '`authorization_details` is not a JSON array of objects with `type` and `identifiers`, or has a type that the metadata does not list',
      remedy: 'Correct it, or leave it out: the person chooses on the page.',
    },
  ],
  guide,
};

/** RFC 9396 sections 7 and 9.2. */
function guide(_site: Site, { policies }: ServiceDescription): Part[] {
  const types = policies.boundaries.map(({ type, scopes }) => `\`${type}\` (${scopes.join(', ')})`).join(', ');
  return [
    heading(2, 'Access that a person has limited'),
    `A person can limit an application to some items: ${types}. The token response then has \`authorization_details\`, for example
\`[{ "type": "${policies.boundaries[0]?.type ?? ''}", "identifiers": ["7b"] }]\`: everything else of this type is not there for the token. What cannot be limited is refused with
\`insufficient_scope\` and no \`scope\`: asking again changes nothing, only the person can, on the consent page or the page of their connected apps.`,
    `You can send \`authorization_details\` of these types to the authorization endpoint, where they are chosen at first; the person decides, so look at the token response. For
what the person has chosen before, that stays.`,
  ];
}
