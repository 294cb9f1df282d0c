import { proofAlgorithms } from './proof-key.ts';
import { alternatives } from '../../core/enabled/enabled.ts';

const again = 'send the request again with the nonce of the header DPoP-Nonce';

/** In place of the engine's texts. */
export const dpopTexts: Readonly<Record<string, string>> = {
  'DPoP proof JWT not provided': 'this client gets tokens only with a DPoP proof; send one in the header DPoP',
  'missing DPoP proof JWT': 'this code is bound to a key by dpop_jkt; send a DPoP proof of that key',
  'DPoP proof key thumbprint does not match dpop_jkt':
    'the DPoP proof must be of the key that dpop_jkt named, not of another',
  'failed jkt verification': 'this refresh token is bound to a key; send a DPoP proof of that key',
  'invalid DPoP key binding': `the DPoP proof must be one JWT of the type dpop+jwt, signed by ${alternatives(proofAlgorithms)} with the key in its header`,
  'DPoP proof must have a iat number property': 'iat of the DPoP proof must be a number',
  'DPoP proof must have a jti string property': 'jti of the DPoP proof must be text, new each time',
  'DPoP proof nonce must be a string': 'nonce of the DPoP proof must be a string',
  'DPoP proof htm mismatch': 'htm of the DPoP proof must be POST',
  'DPoP proof htu mismatch': 'htu of the DPoP proof must be the address of the token endpoint',
  'DPoP proof iat is not recent enough, use a DPoP nonce instead': `iat of the DPoP proof differs by more than five minutes from the clock of this service; ${again}`,
  'nonce is required in the DPoP proof': `the DPoP proof needs a nonce; ${again}`,
  'invalid nonce in DPoP proof': `the nonce of the DPoP proof is unknown or too old; ${again}`,
};
