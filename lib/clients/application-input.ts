import type { ApplicationInput } from '../contracts/application.ts';
import { OAuthError } from '../errors.ts';
import { checkRedirectUri } from '../redirect-uri.ts';
import { isScope } from '../scopes.ts';

/** What is wrong with one field of an application. */
export interface ApplicationProblem {
  readonly field: keyof ApplicationInput | 'confidential';
  readonly text: string;
}

/** An application that cannot be saved, with everything that is wrong with it. */
export class InvalidApplication extends OAuthError {
  override readonly name = 'InvalidApplication';
  readonly problems: readonly ApplicationProblem[];
  constructor(problems: readonly ApplicationProblem[]) {
    super('invalid_client_metadata', problems.map(({ field, text }) => `${field} ${text}`).join('; '));
    this.problems = problems;
  }
}

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * Demands what an application needs.
 *
 * @throws InvalidApplication with all problems at once, for a form to show beside its fields
 */
export function checkApplication({ clientName, redirectUris, scopes, clientUri }: ApplicationInput): void {
  const problems: ApplicationProblem[] = [];
  const wrong = (field: ApplicationProblem['field'], text: string | false | undefined): void => {
    if (typeof text === 'string') problems.push({ field, text });
  };
  wrong('clientName', clientName.trim() === '' && 'is empty');
  wrong('clientName', clientName.length > 100 && 'has more than 100 characters');
  wrong('clientName', controls.test(clientName) && 'has characters that cannot be seen');
  wrong('redirectUris', redirectUris.length === 0 && 'is empty');
  wrong('redirectUris', redirectUris.length > 10 && 'has more than 10 addresses');
  for (const uri of redirectUris) {
    const text = checkRedirectUri(uri, { https: true, loopback: true, localhost: true });
    wrong('redirectUris', text && `${JSON.stringify(uri)} ${text}`);
  }
  wrong('scopes', scopes.length === 0 && 'is empty');
  for (const scope of scopes) wrong('scopes', !isScope(scope) && `${JSON.stringify(scope)} is unknown`);
  const page = clientUri === undefined ? undefined : URL.parse(clientUri);
  wrong('clientUri', page !== undefined && page?.protocol !== 'https:' && 'is no https: address');
  if (problems.length > 0) throw new InvalidApplication(problems);
}
