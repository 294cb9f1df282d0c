import { type KeyAlgorithm, keyAlgorithms } from '../keys/public-keys.ts';
import { type AuthenticationMethod, authenticationMethods } from './client-authentication.ts';
import type { AuthenticationRow, GrantTypeRow } from '../../features/contract.ts';
import { type GrantType, grantTypes } from './grant-type-table.ts';
import { required, type RequestParameter } from '../../kernel/request-parameter.ts';

/** What a campus offers at the endpoints to which clients post: what is always on, then what the host has switched on. */
export interface Offered {
  readonly grantTypes: readonly (GrantTypeRow & { readonly name: GrantType })[];
  readonly authentication: readonly (AuthenticationRow & { readonly name: AuthenticationMethod })[];
  readonly hasGrant: (name: GrantType) => boolean;
  /** Whether there are services. */
  readonly hasServices: boolean;
  /** Whether clients can have keys in place of secrets. */
  readonly takesKeys: boolean;
  /** The algorithms with which clients sign; none if they cannot. */
  readonly algorithms: readonly KeyAlgorithm[];
  /** Those that a client that registers itself can ask for, beside what every client has. */
  readonly registered: readonly GrantType[];
  readonly hasMethod: (name: AuthenticationMethod) => boolean;
  /** Whether the host has set the option of a feature, without which no client has the properties of that feature. */
  readonly hasOption: (name: string) => boolean;
  /** The form fields that identify and authenticate a client. Specification: Flow 1. */
  readonly clientParameters: readonly RequestParameter[];
}

const clientId = required('client_id', 'The client’s identifier.');

/**
 * @param grants - what the functions of `campus-oidc/grants` returned
 * @param options - the names of the options of features that are set
 */
export function offered(
  grants: readonly { readonly grantType: GrantType; readonly registered?: boolean }[] = [],
  methods: readonly AuthenticationMethod[] = [],
  options: readonly string[] = [],
): Offered {
  const switchedOn = grants.map(({ grantType }) => grantType);
  const types = Object.values(grantTypes).filter(({ option, name }) => !option || switchedOn.includes(name));
  const authentication = Object.values(authenticationMethods).filter(
    ({ isOptional, name }) => !isOptional || methods.includes(name),
  );
  const takesKeys = authentication.some(({ isSigned }) => isSigned === true);
  const isNamedElsewhere = authentication.some(({ namesClient }) => namesClient);
  const fields = [clientId, ...authentication.flatMap(({ parameters }) => parameters)];
  return Object.freeze<Offered>({
    grantTypes: types,
    authentication,
    registered: grants.flatMap(({ grantType, registered }) => (registered === true ? [grantType] : [])),
    hasGrant: (name) => types.some((row) => row.name === name),
    hasServices: types.some(({ clients }) => clients === 'services'),
    takesKeys,
    algorithms: takesKeys ? keyAlgorithms : [],
    hasMethod: (name) => authentication.some((row) => row.name === name),
    hasOption: (name) => options.includes(name),
    clientParameters: isNamedElsewhere ? fields.map((field) => ({ ...field, required: false })) : fields,
  });
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(names: readonly string[], word: string = 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
