import type { Core } from '../../core/core.ts';
import { InvalidDpopProof } from '../../core/bearer/key-proof.ts';
import type { AddedStep } from '../../engine/authorization-step.ts';
import type { AnsweredTokenRequest, EngineFeature } from '../../engine/engine-feature.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { dpopTexts } from './engine-texts.ts';
import type { Dpop } from './options.ts';
import { proofAlgorithms } from './proof-key.ts';
import { type DpopProofs, dpopProofs } from './proofs.ts';

/** The engine verifies the proofs at the token endpoint, and binds codes and tokens to keys. RFC 9449 sections 5 and 10. */
export function dpopEngine(option: Dpop, core: Core): EngineFeature {
  const proofs = dpopProofs(option, core);
  const isRequired = option.nonces === 'required';
  return {
    configuration: {
      enabledJWA: { dPoPSigningAlgValues: [...proofAlgorithms] },
      features: {
        // Read when an engine is made, as its keys are.
        get dPoP() {
          // One use is ours: the engine looks first and saves then, forgets a proof before it is too old, and has one list with assertions.
          return { enabled: true, nonceSecret: proofs.secret(), requireNonce: () => isRequired, allowReplay: true };
        },
      },
    },
    steps: [thumbprintStep],
    texts: dpopTexts,
    answered: (request) => answered(core, proofs, request),
  };
}

const thumbprintStep: AddedStep = {
  name: 'check the thumbprint of the key',
  parameter: 'dpop_jkt',
  maxLength: 43,
  run: (_ctx, sent) => {
    if (sent === undefined || (typeof sent === 'string' && /^[\w-]{43}$/.test(sent))) return;
    throw new InvalidRequest('dpop_jkt must be the SHA-256 thumbprint of the key in base64url: 43 characters');
  },
};

/** The engine has verified the proof of a request for which it tells a nonce or issues tokens. */
async function answered(
  { audit }: Core,
  proofs: DpopProofs,
  { ctx, site, clientId, status, error }: AnsweredTokenRequest,
): Promise<void> {
  const proof = ctx.get('DPoP');
  if (proof === '') return;
  // The engine tells everybody one.
  if (ctx.response.get('DPoP-Nonce') !== '' && error !== 'use_dpop_nonce' && !proofs.tellsNonce(proof))
    ctx.remove('DPoP-Nonce');
  if (status !== 200) return;
  try {
    await proofs.useVerified(site, proof);
  } catch (thrown) {
    if (thrown instanceof InvalidDpopProof)
      audit.onAudit({ action: 'token.refused', reason: thrown.error, siteId: site.id, clientId, fromStranger: true });
    throw thrown;
  }
}
