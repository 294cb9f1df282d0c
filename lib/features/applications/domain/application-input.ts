import { isDeepStrictEqual } from 'node:util';
import type { ApplicationInput } from '../../../core/applications/application.ts';
import { assertionAudienceProblem } from '../../../core/clients/assertion-audience.ts';
import { allAudiences, type ClientAudience, personAudiences } from '../../../core/clients/client.ts';
import { keysProblem } from '../../../core/keys/public-keys.ts';
import type { GrantMembers } from '../../../core/enabled/client-member.ts';
import { propertiesGiven, propertiesOf, storedProperties, unsuited } from '../../../core/enabled/client-property.ts';
import { grantMembersOf, type Enabled } from '../../../core/enabled/enabled.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { invisibleIn } from '../../../kernel/invisible.ts';
import { signInMetadata, signInOf } from '../../../core/clients/sign-in-client.ts';
import { checkRedirectUri } from '../../../core/clients/redirect-uri.ts';
import type { ScopeCatalogue } from '../../../core/scopes/scopes.ts';

/** A field of an application, but those that give a grant type. */
export type InputField = Exclude<keyof ApplicationInput, keyof GrantMembers>;

/** A field that can be wrong. */
export type ProblemField = InputField | 'audience';

/** What is wrong with one field of an application. */
export interface ApplicationProblem {
  readonly field: ProblemField;
  /** The kind of problem, for messages of your own. */
  readonly code: 'empty' | 'long' | 'many' | 'invisible' | 'unusable';
  /** For a list, the invalid value. */
  readonly value?: string | undefined;
  /** The other field beside which the value cannot be, if that is what is wrong. */
  readonly beside?: InputField | undefined;
  /** What is wrong with the field or the value, in English: `has a fragment`. */
  readonly reason: string;
}

/** An application is invalid. `problems` lists all problems. */
export class InvalidApplication extends OAuthError {
  override readonly name = 'InvalidApplication';
  readonly problems: readonly ApplicationProblem[];
  constructor(problems: readonly ApplicationProblem[]) {
    const sentences = problems.map(({ field, value, reason }) =>
      value === undefined ? `${field} ${reason}` : `${field} ${JSON.stringify(value)} ${reason}`,
    );
    super('invalid_client_metadata', sentences.join('; '));
    this.problems = problems;
  }
}

export const applicationRedirects = { https: true, loopback: true, localhost: true } as const;

interface InputProblem extends ApplicationProblem {
  readonly field: InputField;
}

const reserved: Readonly<Record<ClientAudience, string>> = {
  operator: 'is reserved for member clients',
  member: 'is reserved for operator clients',
  service: 'is reserved for clients that a person authorizes',
};

/** All problems at once, so that a form can show each beside its field. */
export function inputProblems(
  input: ApplicationInput,
  audience: ClientAudience,
  { catalogue: { has, mayHave }, enabled: { known } }: Checking,
): readonly InputProblem[] {
  const { clientName, redirectUris, scopes, clientUri, publicKeys, assertionAudience } = input;
  const problems: InputProblem[] = [];
  const refuse = (wrong: boolean, problem: InputProblem): void => {
    if (wrong) problems.push(problem);
  };
  const name = { field: 'clientName' } as const;
  const uris = { field: 'redirectUris' } as const;
  const page = { field: 'clientUri', code: 'unusable' } as const;
  const keys = publicKeys === undefined ? undefined : keysProblem(publicKeys);
  refuse(typeof clientName !== 'string', { ...name, code: 'unusable', reason: 'is not a string' });
  refuse(!isTexts(redirectUris), { ...uris, code: 'unusable', reason: 'is not a list of strings' });
  refuse(!isTexts(scopes), { field: 'scopes', code: 'unusable', reason: 'is not a list of strings' });
  refuse(clientUri !== undefined && typeof clientUri !== 'string', { ...page, reason: 'is not a string' });
  if (problems.length > 0) return problems;
  refuse(clientName.trim() === '', { ...name, code: 'empty', reason: 'is empty' });
  refuse(clientName.length > 100, { ...name, code: 'long', reason: 'has more than 100 characters' });
  const invisible = invisibleIn(clientName);
  refuse(invisible !== undefined, {
    ...name,
    code: 'invisible',
    reason: `contains an invisible character, ${invisible}`,
  });
  const isService = audience === 'service';
  refuse(isService && redirectUris.length > 0, { ...uris, code: 'unusable', reason: 'is not empty for a service' });
  const needsUri = !isService && grantMembersOf(known, input).length === 0;
  refuse(needsUri && redirectUris.length === 0, { ...uris, code: 'empty', reason: 'is empty' });
  refuse(redirectUris.length > 10, { ...uris, code: 'many', reason: 'has more than 10 URIs' });
  for (const value of redirectUris) {
    const reason = checkRedirectUri(value, applicationRedirects);
    if (reason !== undefined) problems.push({ ...uris, code: 'unusable', value, reason });
  }
  refuse(scopes.length === 0, { field: 'scopes', code: 'empty', reason: 'is empty' });
  for (const value of scopes) {
    const reason = has(value) ? reserved[audience] : 'is unknown';
    refuse(!mayHave(audience, value), { field: 'scopes', code: 'unusable', value, reason });
  }
  for (const value of scopes.filter((each) => mayHave(audience, each))) {
    const beside = unsuited(known.properties, input, value);
    if (beside !== undefined)
      problems.push({ field: 'scopes', code: 'unusable', value, beside, reason: `cannot be combined with ${beside}` });
  }
  const isPage = clientUri === undefined || URL.parse(clientUri)?.protocol === 'https:';
  refuse(!isPage, { ...page, reason: 'is not an https: URL' });
  if (keys !== undefined) problems.push({ field: 'publicKeys', code: 'unusable', reason: keys });
  const asserted =
    assertionAudience !== undefined && publicKeys === undefined
      ? 'is only for an application with public keys'
      : assertionAudienceProblem(assertionAudience);
  if (asserted !== undefined) problems.push({ field: 'assertionAudience', code: 'unusable', reason: asserted });
  for (const { member, problem, isOfServices } of propertiesGiven(known.properties, input)) {
    const wrong = isService && !isOfServices ? { reason: 'is not for a service' } : problem(input[member]);
    if (wrong) problems.push({ field: member, code: 'unusable', ...wrong });
  }
  return problems;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function unusable(field: ProblemField, reason: string): ApplicationProblem {
  return { field, code: 'unusable', reason };
}

/** An application is created with keys or without. @throws InvalidApplication */
export function checkKeys(hasKeys: boolean, mayHave: boolean, mustHave: boolean): void {
  if (hasKeys && !mayHave)
    throw new InvalidApplication([
      unusable('publicKeys', 'is for confidential applications that are created with keys'),
    ]);
  if (!hasKeys && mustHave)
    throw new InvalidApplication([unusable('publicKeys', 'is missing: this application has no secret')]);
}

export interface Checking {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
}

/**
 * @param before - what is stored: what stays as it is can belong to an option that is off by now
 * @throws InvalidApplication with all problems at once
 */
export function checkedInput(
  input: ApplicationInput,
  audience: ClientAudience,
  checking: Checking,
  before?: ApplicationInput,
): ApplicationInput {
  const { enabled } = checking;
  const { known } = enabled;
  // Callers in plain JavaScript can pass anything, here and above.
  const audiences = enabled.hasServices ? allAudiences : personAudiences;
  const problems: ApplicationProblem[] = [];
  const reason = `is neither ${audiences.toReversed().join(' nor ')}`;
  if (audiences.includes(audience)) problems.push(...inputProblems(input, audience, checking));
  else problems.push({ field: 'audience', code: 'unusable', reason });
  const { clientName, redirectUris, scopes, clientUri, publicKeys, assertionAudience, signIn } = input;
  if (signIn !== undefined && audience === 'service')
    problems.push(unusable('signIn', 'is not for a service, which does not sign people in'));
  const signed = known.authentication.find(({ isSigned }) => isSigned);
  if (publicKeys !== undefined && !enabled.takesKeys)
    problems.push(unusable('publicKeys', `is not available without clientAuthentication: ['${signed?.name}']`));
  for (const { member, option } of propertiesGiven(known.properties, input)) {
    if (!enabled.hasOption(option) && !isDeepStrictEqual(input[member], before?.[member]))
      problems.push(unusable(member, `is not available without the option ${option}`));
  }
  if (problems.length > 0) throw new InvalidApplication(problems);
  return {
    clientName: clientName.trim(),
    redirectUris: [...new Set(redirectUris)],
    scopes: [...new Set(scopes)],
    ...(clientUri !== undefined && { clientUri }),
    ...(publicKeys !== undefined && { publicKeys }),
    ...(assertionAudience !== undefined && { assertionAudience }),
    ...(signIn !== undefined && { signIn: signInOf(signInMetadata({ signIn })) }),
    ...propertiesOf(known.properties, storedProperties(known.properties, input)),
    ...(audience !== 'service' && Object.fromEntries(grantMembersOf(known, input).map((name) => [name, true]))),
  };
}
