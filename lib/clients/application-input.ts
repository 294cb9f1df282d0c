import type { ApplicationInput } from '../contracts/application.ts';
import { OAuthError } from '../protocol/errors.ts';
import { checkRedirectUri } from '../protocol/redirect-uri.ts';
import { isScope, mayHave } from '../protocol/scopes.ts';

/** What is wrong with one field of an application. */
export interface ApplicationProblem {
  readonly field: keyof ApplicationInput;
  /** The kind of problem, for messages of your own. */
  readonly code: 'empty' | 'long' | 'many' | 'invisible' | 'unusable';
  /** For a list, the invalid value. */
  readonly value?: string | undefined;
  /** What is wrong with the field or the value, in English: `has a fragment`. */
  readonly reason: string;
}

/** An application is invalid; `problems` lists everything that is wrong with it. */
export class InvalidApplication extends OAuthError {
  override readonly name = 'InvalidApplication';
  readonly problems: readonly ApplicationProblem[];
  constructor(problems: readonly ApplicationProblem[]) {
    super('invalid_client_metadata', problems.map(sentence).join('; '));
    this.problems = problems;
  }
}

function sentence({ field, value, reason }: ApplicationProblem): string {
  return value === undefined ? `${field} ${reason}` : `${field} ${JSON.stringify(value)} ${reason}`;
}

const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** @throws InvalidApplication with all problems at once, so that a form can show each beside its field */
export function checkApplication(input: ApplicationInput): void {
  const problems = wrongTypes(input);
  if (problems.length > 0) throw new InvalidApplication(problems);
  const { clientName, redirectUris, scopes, clientUri } = input;
  const wrong = (problem: ApplicationProblem, there: boolean): void => {
    if (there) problems.push(problem);
  };
  const name = { field: 'clientName' } as const;
  wrong({ ...name, code: 'empty', reason: 'is empty' }, clientName.trim() === '');
  wrong({ ...name, code: 'long', reason: 'has more than 100 characters' }, clientName.length > 100);
  wrong({ ...name, code: 'invisible', reason: 'contains invisible characters' }, controls.test(clientName));
  const uris = { field: 'redirectUris' } as const;
  wrong({ ...uris, code: 'empty', reason: 'is empty' }, redirectUris.length === 0);
  wrong({ ...uris, code: 'many', reason: 'has more than 10 URIs' }, redirectUris.length > 10);
  for (const value of redirectUris) {
    const reason = checkRedirectUri(value, { https: true, loopback: true, localhost: true });
    if (reason !== undefined) problems.push({ ...uris, code: 'unusable', value, reason });
  }
  wrong({ field: 'scopes', code: 'empty', reason: 'is empty' }, scopes.length === 0);
  for (const value of scopes) {
    const reason = isScope(value) ? 'is reserved for operator clients' : 'is unknown';
    wrong({ field: 'scopes', code: 'unusable', value, reason }, !mayHave('member', value));
  }
  const page = clientUri === undefined ? undefined : URL.parse(clientUri);
  const isPage = page === undefined || page?.protocol === 'https:';
  wrong({ field: 'clientUri', code: 'unusable', reason: 'is not an https: URL' }, !isPage);
  if (problems.length > 0) throw new InvalidApplication(problems);
}

/** Callers in plain JavaScript can pass anything. */
function wrongTypes({ clientName, redirectUris, scopes, clientUri }: Partial<ApplicationInput>): ApplicationProblem[] {
  const problems: (ApplicationProblem | false)[] = [
    typeof clientName !== 'string' && { field: 'clientName', code: 'unusable', reason: 'is not a string' },
    !isTexts(redirectUris) && { field: 'redirectUris', code: 'unusable', reason: 'is not a list of strings' },
    !isTexts(scopes) && { field: 'scopes', code: 'unusable', reason: 'is not a list of strings' },
    clientUri !== undefined &&
      typeof clientUri !== 'string' && { field: 'clientUri', code: 'unusable', reason: 'is not a string' },
  ];
  return problems.filter((problem) => problem !== false);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
