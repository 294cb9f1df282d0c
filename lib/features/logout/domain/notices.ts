import type { SignOuts } from '../../../core/connections/sign-outs.ts';
import type { Core } from '../../../core/core.ts';
import type { Site } from '../../../host/school-platform.ts';
import { WindowCounters } from '../../../kernel/window-counters.ts';
import type { ClientMetadata } from '../../../records/codec.ts';
import type { GrantFilter } from '../../../records/store.ts';
import { logoutOf } from '../options.ts';
import { createDeliveries } from './deliveries.ts';
import { logoutToken, sidOf } from './logout-token.ts';
import type { LogoutSettings } from './option.ts';

/** An application of a person that wants to be told. */
interface Recipient {
  readonly client: ClientMetadata;
  readonly address: string;
  readonly connectionId: string;
  /** Who the person is for it. */
  readonly sub: string;
}

/** Sign-outs of one person at one school in an hour that applications learn of. Each process counts its own. */
const signOutsInHour = 60;

/** Connections of one person. Those of a client are everyone's, and end for another reason than a sign-out. */
type OfPerson = Extract<GrantFilter, { readonly memberId: string }>;

/** Tells applications that a person has signed out, or that their connection has ended. Nothing without the option. */
export function logoutNotices({ logout }: LogoutSettings, core: Core): Partial<SignOuts> {
  if (!logout) return {};
  const { host, records, clients, keys, outbound, audit } = core;
  const { store, beforeRevoke } = records;
  const signOuts = new WindowCounters(60 * 60);
  const { add, undelivered, close } = createDeliveries({
    post: (siteId, address, form) => outbound.fetcher.post(address, form, { siteId, used: true }),
    onAudit: audit.onAudit,
    onFault: audit.onFault,
  });

  async function recipients(siteId: string, { memberId, grantId }: OfPerson): Promise<readonly Recipient[]> {
    const ids = grantId === undefined ? await store.grantIds(siteId, { memberId }) : [grantId];
    const found = await Promise.all(ids.map((id) => recipient(siteId, memberId, id)));
    return found.flatMap((each) => each ?? []);
  }

  async function recipient(siteId: string, memberId: string, id: string): Promise<Recipient | undefined> {
    const { record: grant } = (await store.find(siteId, 'Grant', id)) ?? {};
    if (grant?.accountId !== memberId) return undefined;
    const client = await clients.findStored(siteId, grant.clientId, 'identify');
    const address = client && logoutOf(client).backchannelLogoutUri;
    return client && address !== undefined
      ? { client, address, connectionId: id, sub: grant.sub ?? memberId }
      : undefined;
  }

  function tell(site: Site, memberId: string, { client, address, connectionId, sub }: Recipient, sid?: string): void {
    const clientId = client.client_id;
    const token = (): string | undefined => logoutToken(keys.of(site), site.origin, client, { sub, sid });
    add({ siteId: site.id, clientId, memberId, connectionId, address, token });
  }

  beforeRevoke.push(async (siteId, filter) => {
    if (!('memberId' in filter)) return undefined;
    const [site, ended] = [host.findSite.byId(siteId), await recipients(siteId, filter)];
    if (!site || ended.length === 0) return undefined;
    return () => {
      for (const each of ended) tell(site, filter.memberId, each);
    };
  });

  return {
    undelivered,
    close,
    async signedOut(site, memberId, sessionId) {
      if (signOuts.use([{ name: `${site.id} ${memberId}`, limit: signOutsInHour }]) !== undefined) {
        const actor = { kind: 'member', id: memberId } as const;
        audit.onAudit({ action: 'quota.exceeded', reason: 'sign_outs', siteId: site.id, memberId, actor });
        return 0;
      }
      const told = await recipients(site.id, { memberId });
      for (const each of told) {
        const sid = sessionId === undefined ? undefined : sidOf(site.id, each.client.client_id, sessionId);
        tell(site, memberId, each, sid);
      }
      return told.length;
    },
  };
}
