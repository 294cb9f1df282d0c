import { optional } from '../../kernel/request-parameter.ts';
import type { AuthenticationRow } from '../contract.ts';

/** RFC 7523 section 2.2. */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface PrivateKeyJwtRow extends AuthenticationRow {
  readonly name: 'private_key_jwt';
  readonly isOptional: true;
  readonly clientField: 'publicKeys';
  readonly finding: 'keys-off';
}

/** A JWT that the client has signed with its private key. RFC 7523 section 2.2. */
export const privateKeyJwtRow: PrivateKeyJwtRow = {
  name: 'private_key_jwt',
  isOptional: true,
  namesClient: true,
  isSigned: true,
  clientField: 'publicKeys',
  finding: 'keys-off',
  parameters: [
    optional('client_assertion_type', `\`${assertionType}\`, beside \`client_assertion\`.`),
    optional(
      'client_assertion',
      'A JWT that the client has signed with its private key, in place of a secret: `iss` and `sub` are its `client_id`, `aud` is the issuer or the token endpoint and nothing else, `exp` is at most an hour away, `jti` is new each time.',
    ),
  ],
  how: 'with a JWT that their private key has signed (`private_key_jwt`, RFC 7523 section 2.2)',
};

export const privateKeyJwtFindings = {
  'keys-off': ['warning', "put 'private_key_jwt' into clientAuthentication, or remove the applications"],
} as const;
