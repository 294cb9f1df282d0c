import type { Applications } from '../contracts/application.ts';
import type { KeyRing } from '../protocol/keys.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { RecordStore } from '../records/record-store.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import { applicationReporter } from './application-audit.ts';
import { type ApplicationIssuer, createApplicationIssuer } from './application-issuer.ts';
import { createApplications } from './applications.ts';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';

export interface ApplicationServices {
  readonly applications: Applications;
  readonly applicationIssuer: ApplicationIssuer;
  readonly oneTimeSecrets: OneTimeSecrets;
}

interface ApplicationParts {
  readonly catalogue: ScopeCatalogue;
  readonly keys: Pick<KeyRing, 'shared'>;
  readonly onAudit: OnAudit;
}

export function createApplicationServices(
  store: RecordStore,
  { catalogue, keys, onAudit }: ApplicationParts,
): ApplicationServices {
  const report = applicationReporter(onAudit);
  const applicationIssuer = createApplicationIssuer(store, catalogue, report);
  const applications = createApplications(store, catalogue, { issuer: applicationIssuer, report });
  return { applications, applicationIssuer, oneTimeSecrets: createOneTimeSecrets(store, keys) };
}
