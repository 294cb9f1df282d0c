import * as z from 'zod';
import type { RegistrationMetadata } from '../../core/clients/registered-metadata.ts';
import { withoutEmpty } from '../../kernel/empty.ts';
import { InvalidClientMetadata, InvalidRedirectUri } from '../../kernel/errors.ts';
import type { Shape } from '../../kernel/option-schemas.ts';
import { isObject, parse, pathText } from '../../kernel/validate.ts';

const string = z.string().max(2000).optional();
const strings = z.array(z.string().max(2000)).max(50).optional();

/** The body of a registration request. RFC 7591 section 2 has unknown members be ignored. */
const schema = z.object({
  client_name: string,
  application_type: string,
  redirect_uris: strings,
  token_endpoint_auth_method: string,
  grant_types: strings,
  response_types: strings,
  client_uri: string,
  logo_uri: string,
  tos_uri: string,
  policy_uri: string,
  scope: string,
} satisfies Shape<RegistrationMetadata>);

const { properties = {} } = z.toJSONSchema(schema, { io: 'input' });

export const registrationSchema = { type: 'object', properties } as const;

/** @throws InvalidRedirectUri or InvalidClientMetadata for a member that is of the wrong type or too long */
export function readMetadata(body: unknown): RegistrationMetadata {
  const { value, problem } = parse(schema, isObject(body) ? withoutEmpty(body, ['redirect_uris']) : body);
  if (!problem) return value;
  const text = `${pathText(problem.path) || 'the body'} must ${problem.demand}`;
  throw problem.path[0] === 'redirect_uris' ? new InvalidRedirectUri(text) : new InvalidClientMetadata(text);
}
