import { optional, type RequestParameter } from '../../kernel/request-parameter.ts';
import type { FindingWhenOff } from './finding-when-off.ts';

/** The ways to authenticate a client that must be switched on. A feature adds its own (`declare module`). */
export interface AuthenticationOptions {
  readonly client_secret_basic: true;
}

/** The name of a way to authenticate a client that must be switched on. */
export type OptionalAuthentication = keyof AuthenticationOptions;

/** The name of a way to authenticate a client. RFC 7591 section 2. */
export type AuthenticationMethod = 'none' | 'client_secret_post' | OptionalAuthentication;

/** A way in which a client authenticates at the endpoints to which it posts. RFC 7591 section 2. */
export interface ClientAuthentication {
  /** The name in the metadata. */
  readonly name: AuthenticationMethod;
  /** Whether it must be switched on. */
  readonly isOptional: boolean;
  /** Whether a request with it need not have `client_id` in its form. */
  readonly namesClient: boolean;
  /** The fields that it adds to a form. */
  readonly parameters: readonly RequestParameter[];
  /** Whether clients sign for it, with keys of their own: the member `publicKeys` gives it to a client. */
  readonly isSigned?: boolean;
  /** What is wrong with applications that need it while it is off. */
  readonly whenOff?: FindingWhenOff;
  /** How a confidential client uses it: the end of a sentence in the guide, `They can also authenticate …`. */
  readonly how?: string;
}

/**
 * Those of the core, in the order of the metadata: apps such as mod_auth_openidc take the first, and with `none` would send no secret.
 */
export const coreAuthentication: readonly ClientAuthentication[] = [
  {
    name: 'client_secret_post',
    isOptional: false,
    namesClient: false,
    parameters: [optional('client_secret', 'The secret of a confidential client. Public clients do not have one.')],
    how: 'with the form field `client_secret` (`client_secret_post`)',
  },
  { name: 'none', isOptional: false, namesClient: false, parameters: [] },
  {
    name: 'client_secret_basic',
    isOptional: true,
    namesClient: true,
    parameters: [],
    how: 'with HTTP Basic (`client_secret_basic`), for which `client_id` and `client_secret` are form-encoded first (RFC 6749 section 2.3.1)',
  },
];
