import type { Applications } from '../contracts/application.ts';
import type { CheckedKeys } from '../protocol/keys.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { RecordStore } from '../records/record-store.ts';
import { type ApplicationIssuer, createApplicationIssuer } from './application-issuer.ts';
import { createApplications } from './applications.ts';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';

export interface ApplicationServices {
  readonly applications: Applications;
  readonly applicationIssuer: ApplicationIssuer;
  readonly oneTimeSecrets: OneTimeSecrets;
}

export function createApplicationServices(
  store: RecordStore,
  catalogue: ScopeCatalogue,
  keys: CheckedKeys,
): ApplicationServices {
  const applicationIssuer = createApplicationIssuer(store, catalogue);
  const applications = createApplications(store, catalogue, applicationIssuer);
  return { applications, applicationIssuer, oneTimeSecrets: createOneTimeSecrets(store, keys) };
}
