import { optional } from '../../kernel/request-parameter.ts';
import type { ClientAuthentication } from '../../core/enabled/client-authentication.ts';

/** RFC 7523 section 2.2. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

declare module '../../core/enabled/client-authentication.ts' {
  interface AuthenticationOptions {
    readonly private_key_jwt: true;
  }
}

/** A JWT that the client has signed with its private key. RFC 7523 section 2.2. */
export const privateKeyJwtMethod: ClientAuthentication = {
  name: 'private_key_jwt',
  isOptional: true,
  namesClient: true,
  isSigned: true,
  whenOff: {
    /**
     * A school has applications with public keys, but `clientAuthentication` lacks `private_key_jwt`, so they are not accepted as clients.
     */
    id: 'keys-off',
    fix: "add 'private_key_jwt' to clientAuthentication, or remove the applications",
  },
  parameters: [
    optional('client_assertion_type', `\`${assertionType}\`, together with \`client_assertion\`.`),
    optional(
      'client_assertion',
      'A JWT signed with the private key of the client, instead of a secret. `iss` and `sub` are its `client_id`, `aud` is the issuer only, `exp` is at most an hour away, and `jti` is new each time.',
    ),
  ],
  how: 'with a JWT that their private key has signed (`private_key_jwt`, RFC 7523 section 2.2)',
};
