import { InvalidTarget } from '../protocol/errors.ts';

/** Some clients send the origin with a trailing slash. RFC 8707 section 2; specification: Audience binding. */
export function canonicalResource(value: string, origin: string): string {
  return value === `${origin}/` ? origin : value;
}

export function wrongResource(origin: string): InvalidTarget {
  return new InvalidTarget(`resource must be ${origin}, the value that the protected-resource metadata advertises`);
}

export function missingResource(origin: string): InvalidTarget {
  return new InvalidTarget(`a member client must send resource=${origin}, at authorization and at the token endpoint`);
}
