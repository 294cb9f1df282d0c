import { type ApplicationProblem, inputProblems } from '../../applications/application-input.ts';
import type { Application, ApplicationInput } from '../../applications/application.ts';
import type { ClientAudience } from '../../core/clients/client.ts';
import { type Form, field as formField } from '../../http/body.ts';
import type { FeatureClientFields } from '../../features/options.ts';
import { keysProblem, type PublicKeys } from '../../core/keys/public-keys.ts';
import { type ClientField, clientFieldsOf, grantsByField } from '../../core/offered/grant-type-table.ts';
import { identityScopes, type ScopeCatalogue } from '../../core/scopes/scopes.ts';

export interface FormValues {
  /** From the address of the page or the stored application, never from the form. */
  readonly audience: ClientAudience;
  readonly clientName: string;
  /** One per line. */
  readonly redirectUris: string;
  readonly clientUri: string;
  /** A key set or its address. Absent where an application cannot have any. */
  readonly publicKeys?: string | undefined;
  /** Absent for an existing application, where it cannot change. */
  readonly kind?: 'confidential' | 'public' | '' | undefined;
  readonly scopes: readonly string[];
  /** The members that give it a grant type, and whether each is ticked. One without a checkbox in this form is absent. */
  readonly ticked?: FeatureClientFields | undefined;
}

export type FormField = Exclude<keyof ApplicationInput, ClientField> | 'kind';

export interface FormProblem extends Omit<ApplicationProblem, 'field'> {
  readonly field: FormField;
}

export function blankForm(audience: ClientAudience): FormValues {
  const blank = { audience, clientName: '', redirectUris: '', clientUri: '' };
  // A service always has a secret, and never acts for a person.
  return audience === 'service' ? { ...blank, scopes: [] } : { ...blank, kind: 'confidential', scopes: identityScopes };
}

export function formValuesOf(application: Application, asked: readonly ClientField[]): FormValues {
  const { audience, clientName, redirectUris, clientUri = '', publicKeys, scopes } = application;
  const ticked = { ...blankTicks(audience, asked), ...ticksOf(application) };
  const keys = typeof publicKeys === 'object' ? JSON.stringify(publicKeys, undefined, 2) : publicKeys;
  return { audience, clientName, redirectUris: redirectUris.join('\n'), clientUri, publicKeys: keys, scopes, ticked };
}

/** Nobody authorizes a service. */
export function blankTicks(audience: ClientAudience, asked: readonly ClientField[]): FeatureClientFields {
  return audience === 'service' ? {} : Object.fromEntries(asked.map((name) => [name, false]));
}

export function ticksOf(application: Application): FeatureClientFields {
  return Object.fromEntries(clientFieldsOf(application).map((name) => [name, true]));
}

export function ticksIn({ ticked = {} }: FormValues): readonly (readonly [name: ClientField, isTicked: boolean])[] {
  return grantsByField.flatMap(({ clientField: name }) =>
    ticked[name] === undefined ? [] : [[name, ticked[name]] as const],
  );
}

/** A checkbox without a tick is not sent, so another field says that it was there. */
function askedIn(form: Form): readonly ClientField[] {
  const asked = [form['asked'] ?? []].flat();
  return grantsByField.flatMap(({ clientField }) => (asked.includes(clientField) ? [clientField] : []));
}

export function readFormValues(form: Form, audience: ClientAudience): FormValues {
  const kind = formField(form, 'kind');
  return {
    audience,
    clientName: formField(form, 'name') ?? '',
    redirectUris: audience === 'service' ? '' : (formField(form, 'redirect_uris') ?? ''),
    clientUri: formField(form, 'client_uri') ?? '',
    publicKeys: formField(form, 'public_keys'),
    kind: audience === 'service' ? undefined : kind === 'confidential' || kind === 'public' ? kind : '',
    scopes: [form['scope'] ?? []].flat(),
    ticked: Object.fromEntries(askedIn(form).map((name) => [name, formField(form, name) === 'yes'])),
  };
}

export function toApplicationInput(
  { clientName, redirectUris, clientUri, publicKeys = '', scopes, ticked }: FormValues,
  { has }: ScopeCatalogue,
): ApplicationInput {
  return {
    clientName,
    redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: scopes.filter(has),
    clientUri: clientUri.trim() === '' ? undefined : clientUri.trim(),
    ...(publicKeys.trim() !== '' && { publicKeys: keysIn(publicKeys.trim()) }),
    ...ticked,
  };
}

/** What is not a key set stays as it was entered, and is not an address, either. */
function keysIn(entered: string): PublicKeys {
  try {
    const set: unknown = JSON.parse(entered);
    return isKeys(set) ? set : entered;
  } catch {
    return entered;
  }
}

function isKeys(value: unknown): value is PublicKeys {
  return keysProblem(value) === undefined;
}

export function problemsIn(values: FormValues, catalogue: ScopeCatalogue, before?: Application): FormProblem[] {
  const kind: FormProblem[] = values.kind === '' ? [{ field: 'kind', code: 'empty', reason: 'is empty' }] : [];
  const input = toApplicationInput(values, catalogue);
  const keys = { field: 'publicKeys', code: 'empty', reason: 'is missing' } as const;
  const wrong = before?.publicKeys !== undefined && input.publicKeys === undefined ? [keys] : [];
  const unfit =
    values.kind === 'public' && input.publicKeys !== undefined ? [{ ...keys, code: 'unusable' as const }] : [];
  return [...inputProblems(input, values.audience, catalogue), ...kind, ...wrong, ...unfit];
}
