import { keyAlgorithms } from '../../core/keys/public-keys.ts';
import { alternatives } from '../../core/enabled/enabled.ts';

const audience = 'aud of client_assertion must be the issuer or the token endpoint, and nothing else';
const wrongKey = 'client_assertion is not signed with a key of this client: check the key';
const checks = 'its kid, and that its public part is known here';

/** In place of the engine's texts. */
export const assertionTexts: Readonly<Record<string, string>> = {
  'alg mismatch': `alg of client_assertion must be ${alternatives(keyAlgorithms)}`,
  'expiration must be specified in the client_assertion JWT': 'client_assertion needs exp, at most an hour ahead',
  'unique jti (JWT ID) must be provided in the client_assertion JWT': 'client_assertion needs jti, a new one each time',
  'iss (JWT issuer) must be provided in the client_assertion JWT': 'client_assertion needs iss, the client_id',
  'iss (JWT issuer) must be the client_id': 'iss of client_assertion must be the client_id, as sub is',
  'sub (JWT subject) must be provided in the client_assertion JWT': 'client_assertion needs sub, the client_id',
  'aud (JWT audience) must be provided in the client_assertion JWT': audience,
  'list of audience (aud) must include the endpoint url, issuer identifier or token endpoint url': audience,
  'audience (aud) must equal the endpoint url, issuer identifier or token endpoint url': audience,
  'jwt expired': 'client_assertion has expired: make one for each request, and check the clock',
  'jwt not active yet': 'nbf of client_assertion is in the future: check the clock',
  'no applicable key found in the JSON Web Key Set': `${wrongKey}, ${checks}; one of several keys is named by a kid that no other key has`,
  'signature verification failed': `${wrongKey}, ${checks}`,
};
