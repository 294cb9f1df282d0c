import type { Member, Site } from '../../host/school-platform.ts';
import { grantIdOf, type GrantRecord } from '../../records/codec.ts';
import type { RecordStore } from '../../records/record-store.ts';
import type { ClientFinder } from '../clients/client-finder.ts';
import { splitScope } from '../scopes/scopes.ts';
import type { Permit } from './look-ups.ts';
import { clientUse } from './used-client.ts';

interface EmailQuestion {
  readonly site: Site;
  readonly member: Member;
  readonly clientId: string;
  /** What the client has, or is about to get. */
  readonly scopes: readonly string[];
  /** What it asks for now. @default it has been decided on before */
  readonly requested?: readonly string[] | undefined;
}

/**
 * Whether a client sees the e-mail address of a person in the Member API, where the field has no scope. It does, also if it never asked for
 * `email`, unless a rule, a policy or the person leaves it without. Specification: Viewer.
 */
export type EmailAccess = (question: EmailQuestion) => Promise<boolean>;

interface EmailAccessOptions {
  readonly store: RecordStore;
  readonly clients: ClientFinder;
  readonly permit: Permit;
}

const email = 'email';

export function emailAccess({ store, clients, permit }: EmailAccessOptions): EmailAccess {
  return async ({ site, member, clientId, scopes, requested }) => {
    if (scopes.includes(email)) return true;
    if (requested?.includes(email) === true) return false;
    const [grant, metadata] = await Promise.all([
      store.find(site.id, 'Grant', grantIdOf(member.id, clientId)),
      clients(site.id, clientId, 'identify'),
    ]);
    if (!metadata || isRefused(grant?.record)) return false;
    // The scopes of the client itself do not count: a client that cannot ask for `email` was not refused it.
    const client = { ...clientUse(metadata), scope: undefined };
    const left = await permit({ site, client, member, scopes: [email], at: 'connect' });
    return left.scopes.includes(email) || left.waiting.includes(email);
  };
}

/** Whether the person has declined it, or it was refused when they consented. */
function isRefused({ rejected, declined }: Partial<GrantRecord> = {}): boolean {
  return [...splitScope(rejected), ...splitScope(declined)].includes(email);
}
