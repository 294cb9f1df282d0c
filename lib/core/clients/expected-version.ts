import { OAuthError } from '../../kernel/errors.ts';

/** The version of something that someone saw, as its `version` was. */
export interface ExpectedVersion {
  /** The expected version. If it has changed, the call changes nothing. @default any */
  readonly version?: string | undefined;
}

/** The member who has decided, and when. */
export interface DecidedBy {
  /** In seconds since the epoch. */
  readonly at: number;
  /** The id of the member. @default unknown */
  readonly by?: string | undefined;
}

/** What an administrator did not see: another decision, another version of the app, or another logo of it. */
export type ChangedPart = 'decision' | 'version' | 'logo';

/** A conflict: another person has decided since the version that was shown, or the app has changed. */
export class VersionConflict extends OAuthError {
  override readonly name = 'VersionConflict';
  /** The last decision: by whom, and when. Absent if the shown decision was taken back, or if the change was not a decision. */
  readonly decided: DecidedBy | undefined;
  /** The part that has changed. */
  readonly difference: ChangedPart;

  /** @param what - what was decided on, for example `the app claude` */
  constructor(what: string, decided: DecidedBy | undefined, difference: ChangedPart = 'decision') {
    super('conflict', `${textOf(what, decided, difference)}; look at it again`, { status: 409 });
    this.decided = decided && { at: decided.at, ...(decided.by !== undefined && { by: decided.by }) };
    this.difference = difference;
  }
}

function textOf(what: string, decided: DecidedBy | undefined, difference: ChangedPart): string {
  const { at = 0, by = 'somebody else' } = decided ?? {};
  const time = new Date(at * 1000).toISOString();
  if (difference === 'decision')
    return decided
      ? `${by} has decided on ${what} since it was shown, at ${time}`
      : `the decision on ${what} has been taken back since it was shown`;
  const last = decided ? `; ${by} has decided on it last, at ${time}` : '';
  if (difference === 'version') return `${what} has changed since it was shown${last}`;
  return `${what} has another logo than was shown, or one that cannot be fetched now${last}`;
}
