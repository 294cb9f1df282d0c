import { OAuthError } from '../../kernel/errors.ts';
import type { Decided } from './client-status.ts';

/** The version of something that someone saw, as its `version` was. */
export interface ExpectedVersion {
  /** If there is another one by now, nothing is changed. @default any */
  readonly version?: string | undefined;
}

/** Somebody else has decided since the version that was shown. */
export class DecisionConflict extends OAuthError {
  override readonly name = 'DecisionConflict';
  /** Who decided, and when. Absent if they took the decision back that was shown. */
  readonly decided: Pick<Decided, 'at' | 'by'> | undefined;

  /** @param what - what was decided on, for example `the program claude` */
  constructor(what: string, decided: Pick<Decided, 'at' | 'by'> | undefined) {
    super('conflict', `${textOf(what, decided)}; look at it again`, { status: 409 });
    this.decided = decided && { at: decided.at, ...(decided.by !== undefined && { by: decided.by }) };
  }
}

function textOf(what: string, decided: Pick<Decided, 'at' | 'by'> | undefined): string {
  if (!decided) return `the decision on ${what} has been taken back since it was shown`;
  const { at, by = 'somebody else' } = decided;
  return `${by} has decided on ${what} since it was shown, at ${new Date(at * 1000).toISOString()}`;
}
