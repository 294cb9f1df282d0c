import { OAuthError } from '../../kernel/errors.ts';

const differences = {
  version: 'has changed',
  logo: 'has another logo than was shown, or one that cannot be fetched now',
};

export type ReviewDifference = keyof typeof differences;

/** An administrator decides on a document or logo that has changed since they opened the page. */
export class ReviewConflict extends OAuthError {
  readonly difference: ReviewDifference;

  constructor(clientId: string, difference: ReviewDifference) {
    super('invalid_request', `${clientId} ${differences[difference]}; look at it again`, { status: 409 });
    this.difference = difference;
  }
}
