import { randomBytes } from 'node:crypto';
import type { IssuedSecret, NewApplication } from '../contracts/application.ts';
import type { Site } from '../contracts/platform.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { RecordStore } from '../records/record-store.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import { digest } from '../runtime/crypto.ts';
import { checkedInput } from './application-input.ts';
import { applicationRecords, conflict, mustBeEnabled } from './application-records.ts';
import type { Credentials } from './one-time-secrets.ts';
import type { AuditAction, AuditDetails, OnAudit } from '../runtime/audit-event.ts';

/** Creates and rotates with credentials that were made before: a form that is submitted twice must create one thing. */
export interface ApplicationIssuer {
  /** `conflict` if there is such an application already. */
  create(site: Site, application: NewApplication, credentials: Credentials): Promise<IssuedSecret>;
  rotateSecret(site: Site, credentials: Credentials, version: string | undefined): Promise<IssuedSecret>;
  /** Whether these are the credentials of the application now. */
  hasSecret(site: Site, credentials: Credentials): Promise<boolean>;
}

export function createApplicationIssuer(
  store: Pick<RecordStore, 'find' | 'save'>,
  catalogue: ScopeCatalogue,
  report: Report,
): ApplicationIssuer {
  const { find, demand, save } = applicationRecords(store, catalogue);
  return {
    async create(site, { confidential, createdBy, audience = 'member', ...input }, { clientId, clientSecret }) {
      mustBeEnabled(site);
      const secretDigest = clientSecret && digest(clientSecret);
      // Callers in plain JavaScript can pass anything.
      const creator = typeof createdBy === 'string' ? createdBy : undefined;
      const fixed = { audience, confidential, createdBy: creator, clientId, createdAt: epochSeconds(), secretDigest };
      const settings = { ...checkedInput(input, audience, catalogue), ...fixed, isNarrowed: false };
      const { application } = await save(site, settings, undefined);
      report('application.created', site, clientId, { scopes: { before: [], after: application.scopes } });
      return { application, clientSecret };
    },
    async rotateSecret(site, { clientId, clientSecret = newSecret() }, version) {
      const found = await demand(site, clientId);
      const { application } = found;
      if (!application.confidential) throw new OAuthError('invalid_client', 'a public application has no secret');
      if (version !== undefined && version !== application.version) throw conflict(application);
      const secretDigest = digest(clientSecret);
      const saved = await save(site, { ...application, isNarrowed: found.isNarrowed, secretDigest }, found);
      report('application.secret_rotated', site, clientId);
      return { application: saved.application, clientSecret };
    },
    async hasSecret(site, { clientId, clientSecret }) {
      const found = await find(site, clientId);
      return found !== undefined && found.secretDigest === (clientSecret && digest(clientSecret));
    },
  };
}

export function newCredentials({ confidential }: Pick<NewApplication, 'confidential'>): Credentials {
  return { clientId: newClientId(), ...(confidential && { clientSecret: newSecret() }) };
}

const prefix = 'app-';

function newClientId(): string {
  return `${prefix}${randomBytes(12).toString('base64url')}`;
}

export function isApplicationId(clientId: string): boolean {
  return clientId.startsWith(prefix);
}

/** 256 random bits cannot be guessed, so an unsalted hash is safe to store. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Reports what an operator has done with an application. */
export type Report = (action: AuditAction, site: Site, clientId: string, details?: Partial<AuditDetails>) => void;

export function applicationReporter(onAudit: OnAudit): Report {
  return (action, { id: siteId }, clientId, details) =>
    onAudit({ action, siteId, actor: { kind: 'operator' }, clientId, ...details });
}
