import { isDeepStrictEqual } from 'node:util';
import { type ApplicationProblem, type Checking, type InputField, inputProblems } from '../domain/application-input.ts';
import type { Application, ApplicationInput } from '../../../core/applications/application.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import { signInMetadata, signInOf, type SignInProperties } from '../../../core/clients/sign-in-client.ts';
import { type Form, field as formField } from '../../../http/body.ts';
import type { GrantMembers } from '../../../core/enabled/client-member.ts';
import { propertiesOf, storedProperties } from '../../../core/enabled/client-property.ts';
import { grantMembersOf, type KnownToClients } from '../../../core/enabled/enabled.ts';
import { identityScopes, type ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { ApplicationField, EnteredMember, EnteredMembers } from '../../../pages/kit/application-field.ts';

/** What was entered into the fields of features. One that the form does not have is absent. */
export type EnteredValues = { readonly [M in EnteredMember]?: string | undefined };

export interface FormValues extends EnteredValues {
  /** From the address of the page or the stored application, never from the form. */
  readonly audience: ClientAudience;
  readonly clientName: string;
  /** Present for a sign-in client. From the address of the page or the stored application, its properties from the form. */
  readonly signIn?: SignInProperties | undefined;
  /** One per line. */
  readonly redirectUris: string;
  readonly clientUri: string;
  /** Absent for an existing application, where it cannot change. */
  readonly kind?: 'confidential' | 'public' | '' | undefined;
  readonly scopes: readonly string[];
  /** The members that give it a grant type, and whether each is ticked. One without a checkbox in this form is absent. */
  readonly ticked?: Ticks | undefined;
}

/** Whether each member that gives a grant type is ticked. */
export type Ticks = ReadonlyMap<keyof GrantMembers, boolean>;

export const noTicks: Ticks = new Map<keyof GrantMembers, boolean>();

export type FormField = InputField | 'kind';

export interface FormProblem extends Omit<ApplicationProblem, 'field'> {
  readonly field: FormField;
}

/** The form of a sign-in client, which any person of the school uses. */
export function blankSignInForm(): FormValues {
  return { ...blankForm('member'), signIn: { basic: true, idTokenAlgorithm: 'RS256', defaultResource: true } };
}

/** Whether a new sign-in client has anything else than most have, beside its name and where people return to. */
export function hasOptions(values: FormValues, fields: readonly ApplicationField[]): boolean {
  const blank = blankSignInForm();
  return (
    values.clientUri !== blank.clientUri ||
    values.kind !== blank.kind ||
    !isDeepStrictEqual(values.signIn, blank.signIn) ||
    !isDeepStrictEqual(new Set(values.scopes), new Set<string>(blank.scopes)) ||
    ticksIn(values).some(([, isTicked]) => isTicked) ||
    fields.some(({ member }) => (values[member] ?? '') !== '')
  );
}

export function blankForm(audience: ClientAudience): FormValues {
  const blank = { audience, clientName: '', redirectUris: '', clientUri: '' };
  // A service always has a secret, and never acts for a person.
  return audience === 'service' ? { ...blank, scopes: [] } : { ...blank, kind: 'confidential', scopes: identityScopes };
}

export function formValuesOf(
  known: KnownToClients,
  application: Application,
  asked: readonly (keyof GrantMembers)[],
  fields: readonly ApplicationField[],
): FormValues {
  const { audience, clientName, redirectUris, clientUri = '', scopes } = application;
  const signIn = signInOf(signInMetadata(application));
  const ticked = new Map([...blankTicks(audience, asked), ...ticksOf(known, application)]);
  const entered = enteredOf(fields, ({ shown }) => shown(application) ?? '');
  return { ...entered, audience, clientName, redirectUris: redirectUris.join('\n'), clientUri, scopes, ticked, signIn };
}

/** By the member, what each field of a feature has. */
export function enteredOf(
  fields: readonly ApplicationField[],
  value: (own: ApplicationField) => string | undefined,
): EnteredValues {
  return Object.fromEntries(fields.map((own) => [own.member, value(own)]));
}

/** Nobody authorizes a service. */
export function blankTicks(audience: ClientAudience, asked: readonly (keyof GrantMembers)[]): Ticks {
  return audience === 'service' ? noTicks : new Map(asked.map((name) => [name, false]));
}

export function ticksOf(known: KnownToClients, application: Application): Ticks {
  return new Map(grantMembersOf(known, application).map((name) => [name, true]));
}

export function ticksIn({
  ticked = noTicks,
}: FormValues): readonly (readonly [name: keyof GrantMembers, isTicked: boolean])[] {
  return [...ticked];
}

/** A checkbox without a tick is not sent, so another field says that it was there. */
function isAsked(form: Form, name: string): boolean {
  return [form['asked'] ?? []].flat().includes(name);
}

/** What the page is for, which no form says. */
interface ReadForm {
  readonly audience: ClientAudience;
  /** Whether it is for a sign-in client. */
  readonly isSignIn: boolean;
  readonly fields: readonly ApplicationField[];
  readonly known: KnownToClients;
}

export function readFormValues(form: Form, { audience, isSignIn, fields, known }: ReadForm): FormValues {
  const kind = formField(form, 'kind');
  const has = (name: string): boolean => formField(form, name) === 'yes';
  return {
    audience,
    clientName: formField(form, 'name') ?? '',
    redirectUris: audience === 'service' ? '' : (formField(form, 'redirect_uris') ?? ''),
    clientUri: formField(form, 'client_uri') ?? '',
    ...enteredOf(fields, ({ name }) => formField(form, name) ?? (isAsked(form, name) ? '' : undefined)),
    kind: audience === 'service' ? undefined : kind === 'confidential' || kind === 'public' ? kind : '',
    ...(isSignIn && {
      signIn: {
        basic: has('sign_in_basic'),
        idTokenAlgorithm: has('sign_in_rs256') ? 'RS256' : 'ES256',
        defaultResource: has('sign_in_resource'),
      },
    }),
    scopes: [form['scope'] ?? []].flat(),
    ticked: new Map(
      known.byMember.flatMap(({ clientMember: name }) =>
        isAsked(form, name) ? [[name, formField(form, name) === 'yes'] as const] : [],
      ),
    ),
  };
}

interface Reading {
  readonly catalogue: ScopeCatalogue;
  readonly fields: readonly ApplicationField[];
}

export function toApplicationInput(values: FormValues, { catalogue: { has }, fields }: Reading): ApplicationInput {
  const { clientName, redirectUris, clientUri, scopes, ticked, signIn } = values;
  return {
    clientName,
    redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: scopes.filter(has),
    clientUri: clientUri.trim() === '' ? undefined : clientUri.trim(),
    ...ownMembers(values, fields),
    ...(signIn && { signIn }),
    ...Object.fromEntries(ticked ?? []),
  };
}

function ownMembers(values: FormValues, fields: readonly ApplicationField[]): EnteredMembers {
  return fields.reduce((input, { member, read }) => {
    const entered = values[member]?.trim();
    if (entered === undefined) return input;
    return entered === '' ? { ...input, [member]: undefined } : { ...input, ...read(entered) };
  }, {});
}

/** The fields of features whose change ends connections, and that are changed. */
export function endingFields(
  values: FormValues,
  before: Application,
  fields: readonly ApplicationField[],
): readonly ApplicationField[] {
  const after = ownMembers(values, fields);
  return fields.filter(({ member, ends }) => ends && member in after && before[member] !== after[member]);
}

export function problemsIn(values: FormValues, checking: Checking & Reading, before?: Application): FormProblem[] {
  const { enabled, fields } = checking;
  const { properties } = enabled.known;
  const kind: FormProblem[] = values.kind === '' ? [{ field: 'kind', code: 'empty', reason: 'is empty' }] : [];
  const input = toApplicationInput(values, checking);
  const own = fields.flatMap(({ member, inPlaceOfSecret }): FormProblem[] => {
    if (!inPlaceOfSecret) return [];
    const problem = { field: member, reason: 'is missing' } as const;
    if (before?.[member] !== undefined && input[member] === undefined) return [{ ...problem, code: 'empty' }];
    return values.kind === 'public' && input[member] !== undefined ? [{ ...problem, code: 'unusable' }] : [];
  });
  const kept = before && propertiesOf(properties, storedProperties(properties, before));
  return [...inputProblems({ ...kept, ...input }, values.audience, checking), ...kind, ...own];
}
