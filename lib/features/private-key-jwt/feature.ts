import { keyAlgorithms } from '../../core/keys/public-keys.ts';
import { withRequest } from '../../engine/adapter.ts';
import type { Feature } from '../feature.ts';
import { assertClaims, useAssertion } from './assertions.ts';
import { privateKeyJwtDescription } from './describe.ts';
import { assertionText, assertionTexts } from './engine-texts.ts';
import { keysField } from './form.ts';
import { privateKeyJwtMethod } from './method.ts';
import { privateKeyJwtTexts } from './texts.ts';
import { assertionLimiter } from './assertion-limiter.ts';
import { assertionProof } from './proof.ts';

/** Clients that prove with a private key who they are: assertions. RFC 7523 section 2.2. */
export const privateKeyJwt: Feature = {
  authentication: privateKeyJwtMethod,
  fields: [keysField],
  texts: privateKeyJwtTexts,
  engine: ({ core: { records, clients, limits } }) => {
    const { store } = records;
    const assertions = assertionLimiter(store, limits);
    return {
      configuration: {
        enabledJWA: { clientAuthSigningAlgValues: [...keyAlgorithms] },
        assertJwtClientAuthClaimsAndHeader: assertClaims,
      },
      // The engine looks for a used assertion first, and then saves it: one step decides here.
      storage: {
        ReplayDetection: {
          find: async () => undefined,
          upsert: withRequest((request, id, payload) => useAssertion({ store, assertions }, request, id, payload)),
        },
      },
      texts: assertionTexts,
      textFor: assertionText,
      proof: assertionProof(clients, assertions),
    };
  },
  described: privateKeyJwtDescription,
};
