import { expect } from '@jest/globals';
import type { JsonResponse } from './flow.ts';

/** What the engine says when it says nothing. */
const terse =
  /^(?:grant request is invalid|request is invalid|client authentication failed|client is invalid|invalid token provided)$/;

/** Words that tell a developer something: more than one, and not the engine's own shortest. */
export function expectWords(text: unknown): void {
  expect(text).toEqual(expect.stringMatching(/\w \S/));
  expect(text).not.toMatch(terse);
}

/** The one form of an error in JSON: this code, words that help, and nothing kept on the way. */
export function expectError({ status, headers, body }: JsonResponse, wantedStatus: number, error: string): void {
  expect({ status, error: body['error'] }).toEqual({ status: wantedStatus, error });
  expectWords(body['error_description']);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-type')).toMatch(/^application\/json\b/);
}

/** A redirect to where it is wanted; returns its query. */
export function redirectQuery(response: Response, redirectUri: string): Record<string, string> {
  const { status } = response;
  const location = response.headers.get('location') ?? '';
  expect({ status, to: location.split('?', 1)[0] }).toEqual({ status: 303, to: redirectUri });
  return Object.fromEntries(new URL(location).searchParams);
}
