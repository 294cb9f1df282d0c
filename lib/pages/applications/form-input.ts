import { checkApplication, InvalidApplication } from '../../clients/application-input.ts';
import type { Application, ApplicationInput } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import { defaultScopes, isScope, mayHave } from '../../protocol/scopes.ts';
import type { FormProblem, FormValues } from './form.ts';

export const blankForm: FormValues = {
  clientName: '',
  redirectUris: '',
  clientUri: '',
  kind: 'confidential',
  scopes: defaultScopes,
};

export function formValuesOf({ clientName, redirectUris, clientUri = '', scopes }: Application): FormValues {
  return { clientName, redirectUris: redirectUris.join('\n'), clientUri, scopes };
}

export function readFormValues(form: Form): FormValues {
  const kind = field(form, 'kind');
  return {
    clientName: field(form, 'name') ?? '',
    redirectUris: field(form, 'redirect_uris') ?? '',
    clientUri: field(form, 'client_uri') ?? '',
    kind: kind === 'confidential' || kind === 'public' ? kind : '',
    scopes: [form['scope'] ?? []].flat(),
  };
}

export function toApplicationInput({ clientName, redirectUris, clientUri, scopes }: FormValues): ApplicationInput {
  return {
    clientName,
    redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: scopes.filter(isScope).filter((scope) => mayHave('member', scope)),
    clientUri: clientUri.trim() === '' ? undefined : clientUri.trim(),
  };
}

export function problemsIn(values: FormValues): FormProblem[] {
  const kind: FormProblem[] = values.kind === '' ? [{ field: 'kind', code: 'empty', reason: 'is empty' }] : [];
  try {
    checkApplication(toApplicationInput(values));
    return kind;
  } catch (error) {
    if (!(error instanceof InvalidApplication)) throw error;
    return [...error.problems, ...kind];
  }
}
