import { checkApplication, InvalidApplication } from '../../clients/application-input.ts';
import type { Application, ApplicationInput } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import type { FormProblem, FormValues } from './form.ts';
import { defaultScopes, isScope, mayHave } from '../../protocol/scopes.ts';

/** What stands in the form of a new application at first. */
export const blankForm: FormValues = {
  clientName: '',
  redirectUris: '',
  clientUri: '',
  kind: 'confidential',
  scopes: defaultScopes,
};

/** An application as its form shows it. */
export function formOf({ clientName, redirectUris, clientUri = '', scopes }: Application): FormValues {
  return { clientName, redirectUris: redirectUris.join('\n'), clientUri, scopes };
}

/** What was typed and ticked. */
export function readValues(form: Form): FormValues {
  const kind = field(form, 'kind');
  return {
    clientName: field(form, 'name') ?? '',
    redirectUris: field(form, 'redirect_uris') ?? '',
    clientUri: field(form, 'client_uri') ?? '',
    kind: kind === 'confidential' || kind === 'public' ? kind : '',
    scopes: [form['scope'] ?? []].flat(),
  };
}

/** What it means. */
export function inputOf({ clientName, redirectUris, clientUri, scopes }: FormValues): ApplicationInput {
  return {
    clientName,
    redirectUris: redirectUris.split(/\s+/).filter((uri) => uri !== ''),
    scopes: scopes.filter(isScope).filter((scope) => mayHave('member', scope)),
    clientUri: clientUri.trim() === '' ? undefined : clientUri.trim(),
  };
}

/** Everything that is wrong with what was filled in. */
export function problemsIn(values: FormValues): FormProblem[] {
  const kind: FormProblem[] = values.kind === '' ? [{ field: 'kind', code: 'empty', reason: 'is empty' }] : [];
  try {
    checkApplication(inputOf(values));
    return kind;
  } catch (error) {
    if (!(error instanceof InvalidApplication)) throw error;
    return [...error.problems, ...kind];
  }
}
