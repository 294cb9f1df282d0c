import { heading, type Part } from '../../describe/guide-parts.ts';
import { objectSchema } from '../../describe/schema-parts.ts';
import type { DescribedFeature } from '../../describe/service-description.ts';
import { paths } from '../../http/paths.ts';
import { optional } from '../../kernel/request-parameter.ts';
import type { Site } from '../../host/school-platform.ts';
import { proofAlgorithms } from './proof-key.ts';

export const dpopDescription: DescribedFeature = {
  // RFC 9449 section 5.1.
  metadata: () => ({ dpop_signing_alg_values_supported: proofAlgorithms }),
  // RFC 9728 section 2.
  resourceMetadata: () => ({
    dpop_signing_alg_values_supported: proofAlgorithms,
    dpop_bound_access_tokens_required: false,
  }),
  authorizeParameters: [
    {
      ...optional(
        'dpop_jkt',
        'The SHA-256 thumbprint of the key whose holder alone can redeem the code, in base64url (RFC 9449 section 10).',
      ),
      maxLength: 43,
    },
  ],
  tokenMembers: {
    token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
    cnf: {
      ...objectSchema({ jkt: { type: 'string' } }),
      description:
        'In an introspection response: the thumbprint of the key to which the token is bound (RFC 9449 section 6.2).',
    },
  },
  errors: [
    {
      error: 'invalid_dpop_proof',
      status: 400,
      when: 'the DPoP proof is malformed, is for another request, is not signed with its key or was used before',
      remedy: 'Make a proof for each request; `error_description` names what is wrong.',
    },
    {
      error: 'use_dpop_nonce',
      status: 400,
      when: 'the DPoP proof needs a nonce, because the clock of the client is wrong or this service requires one',
      remedy: 'Send the request again, with a proof that has the `DPoP-Nonce` of the response as `nonce`.',
    },
  ],
  guide,
};

/** RFC 9449. */
function guide({ origin }: Site): Part[] {
  return [
    heading(2, 'Tokens that are bound to a key'),
    `With a DPoP proof (RFC 9449) in the header \`DPoP\` of a token request, the access token is bound to the key of the proof, and \`token_type\` is \`DPoP\`. The refresh token
of a public client is also bound. Proofs are signed with ${proofAlgorithms.join(', ')}; \`htu\` at the token endpoint is \`${origin}${paths.token}\`. Send such a token with
\`Authorization: DPoP <ACCESS_TOKEN>\` and a new proof with \`ath\` for each request; as a bearer token it is refused with 401 \`invalid_token\`.`,
    `A proof is good for one request and for five minutes. If a response has \`DPoP-Nonce\`, use it as \`nonce\` of the next proofs for this origin. After \`use_dpop_nonce\`, send the
request again with it. \`dpop_jkt\` in the authorization request binds the code to the key.`,
  ];
}
