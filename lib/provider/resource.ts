import { InvalidTarget } from '../protocol/errors.ts';

/**
 * The `resource` values of a request with this site's origin in its canonical spelling: some clients send it with a
 * trailing slash. RFC 8707 section 2; specification: Audience binding.
 */
export function canonicalResource<T>(value: T, origin: string): T | string {
  return value === `${origin}/` ? origin : value;
}

/** The refusal of any other `resource`. */
export function wrongResource(origin: string): InvalidTarget {
  return new InvalidTarget(`resource must be ${origin}, the value that the protected-resource metadata advertises`);
}

/** The refusal of a member client that sends none. */
export function missingResource(origin: string): InvalidTarget {
  return new InvalidTarget(`a member client must send resource=${origin}, at authorization and at the token endpoint`);
}
