import * as z from 'zod';
import type { JsonMembers } from '../../kernel/json.ts';
import type { ClientPropertyRow, PropertyProblem } from '../contract.ts';

/** What a client has for pseudonyms. */
export interface PseudonymClient {
  /**
   * `pairwise`: the client knows each person by a pseudonym, which no other client can join with its own. It can have identity scopes only, and its tokens
   * are good for UserInfo only. OIDC Core section 8.1. @default the id of the member
   */
  readonly subject?: 'pairwise' | undefined;
}

function subjectProblem(value: unknown): PropertyProblem | undefined {
  return value === 'pairwise' ? undefined : { reason: `is ${JSON.stringify(value)}, and can only be "pairwise"` };
}

/** @internal */
export interface PseudonymPropertyRow extends ClientPropertyRow {
  readonly option: 'pseudonyms';
  readonly finding: 'pseudonyms-off';
}

/** @internal */
export const pseudonymProperties: { readonly subject: PseudonymPropertyRow } = {
  subject: {
    option: 'pseudonyms',
    finding: 'pseudonyms-off',
    problem: subjectProblem,
    scopes: ['openid', 'profile', 'email'],
    asksAgain: true,
  },
};

/** @internal */
export const pseudonymClientFields: { readonly subject: z.ZodOptional<z.ZodLiteral<'pairwise'>> } = {
  subject: z.literal('pairwise', 'be "pairwise"').optional(),
};

/** The same in an application, whose members are checked later. @internal */
export const pseudonymInputFields: { readonly subject: z.ZodOptional<z.ZodUnknown> } = {
  subject: z.unknown().optional(),
};

/** As the record of a client has it. @internal */
export function storedSubject({ subject }: PseudonymClient): JsonMembers {
  return subject === undefined ? {} : { campus_subject: subject };
}

/** A program that brings its metadata itself has none: only a rule gives it pseudonyms. @internal */
export function subjectOf({ campus_source: source, campus_subject: subject }: JsonMembers): PseudonymClient {
  return source !== 'document' && source !== 'registered' && subject === 'pairwise' ? { subject } : {};
}
