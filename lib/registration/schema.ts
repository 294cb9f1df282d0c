import { Ajv } from 'ajv';
import type { RegistrationMetadata } from '../contracts/registration.ts';
import { InvalidClientMetadata, InvalidRedirectUri } from '../protocol/errors.ts';

const text = { type: 'string', maxLength: 2000 } as const;
const list = { type: 'array', items: text, maxItems: 50 } as const;

/** A JSON Schema of an object. */
export interface RegistrationSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
}

/** The body of a registration request as JSON Schema. RFC 7591 section 2; members that it does not name are ignored. */
export const registrationSchema: RegistrationSchema = {
  type: 'object',
  properties: {
    client_name: text,
    application_type: text,
    redirect_uris: list,
    token_endpoint_auth_method: text,
    grant_types: list,
    response_types: list,
    client_uri: text,
    logo_uri: text,
    tos_uri: text,
    policy_uri: text,
    scope: text,
  },
};

const validate = new Ajv({ allErrors: false }).compile<RegistrationMetadata>(registrationSchema);

/**
 * What a client posts about itself, with the members that are known and nothing else.
 *
 * @throws InvalidRedirectUri or InvalidClientMetadata, with the member that is of the wrong type or too long
 */
export function readMetadata(body: unknown): RegistrationMetadata {
  if (!validate(body)) {
    const { instancePath = '', message = 'is not as it should be' } = validate.errors?.[0] ?? {};
    const member = instancePath.slice(1).replaceAll('/', '.');
    if (member.startsWith('redirect_uris')) throw new InvalidRedirectUri(`${member} ${message}`);
    throw new InvalidClientMetadata(`${member || 'the body'} ${message}`);
  }
  const known = Object.keys(registrationSchema.properties);
  return Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
}
