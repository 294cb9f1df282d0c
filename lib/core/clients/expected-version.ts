import { OAuthError } from '../../kernel/errors.ts';

/** The version of something that someone saw, as its `version` was. */
export interface ExpectedVersion {
  /** If there is another one by now, nothing is changed. @default any */
  readonly version?: string | undefined;
}

/** The member who has decided, and when. */
export interface DecidedBy {
  /** In seconds since the epoch. */
  readonly at: number;
  /** The id of the member. @default unknown */
  readonly by?: string | undefined;
}

/** Somebody else has decided since the version that was shown. */
export class DecisionConflict extends OAuthError {
  override readonly name = 'DecisionConflict';
  /** Who decided, and when. Absent if they took the decision back that was shown. */
  readonly decided: DecidedBy | undefined;

  /** @param what - what was decided on, for example `the app claude` */
  constructor(what: string, decided: DecidedBy | undefined) {
    super('conflict', `${textOf(what, decided)}; look at it again`, { status: 409 });
    this.decided = decided && { at: decided.at, ...(decided.by !== undefined && { by: decided.by }) };
  }
}

function textOf(what: string, decided: DecidedBy | undefined): string {
  if (!decided) return `the decision on ${what} has been taken back since it was shown`;
  const { at, by = 'somebody else' } = decided;
  return `${by} has decided on ${what} since it was shown, at ${new Date(at * 1000).toISOString()}`;
}
