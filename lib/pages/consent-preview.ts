import { textsFor } from '../core/access/permission.ts';
import { clientUse } from '../core/access/used-client.ts';
import type { Core } from '../core/core.ts';
import { storedGrantMembers } from '../core/clients/client-grant-types.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { clientInfo } from '../core/clients/client-metadata.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { consentPage } from './consent-page.ts';
import { type AlwaysOpen, openFor } from './kit/always-sees.ts';
import { html } from './kit/markup.ts';
import type { MemberPageContext } from './kit/member-page.ts';
import { exampleOf, type PageBuilder } from './kit/pages.ts';

interface PreviewSettings {
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
}

/** The consent page of a client for who looks at it, if it has one; `back` leads to where they came from. */
export type ConsentPreview = (
  context: MemberPageContext,
  clientId: string,
  back: string,
) => Promise<PageBuilder | undefined>;

/** Asks for all that the client may request, as for a person who has never allowed it anything. Nothing is fetched or stored. */
export function consentPreview(
  { catalogue, enabled }: PreviewSettings,
  { clients, access, limits }: Core,
  alwaysOpen: AlwaysOpen,
  yourApps: string | undefined,
): ConsentPreview {
  return async (context, clientId, back) => {
    const { site, member } = context;
    const metadata = await clients.find(site.id, clientId, 'identify');
    // Empty for one that needs none.
    const [redirectUri = ''] = metadata?.redirect_uris ?? [];
    const used = clientUse(metadata);
    const given = metadata && redirectUri === '' ? storedGrantMembers(enabled.known, metadata) : {};
    const ways = enabled.known.byMember.filter(({ clientMember }) => given[clientMember]);
    if (!metadata || !used || (redirectUri === '' && ways.length === 0)) return undefined;
    const client = clientInfo(metadata);
    const asked = { site, client: used, member, scopes: catalogue.of(client.audience), assumesRole: true } as const;
    const permission = await access.permit({ ...asked, at: 'connect' });
    const { refused, scopes, waiting, pseudonym } = permission;
    const question = { site, member, clientId, scopes };
    const open = await openFor(alwaysOpen, () => access.emailAccess(question));
    const page = consentPage({
      ...context,
      scopes,
      texts: textsFor(permission),
      denied: scopes.length === 0,
      client,
      beyond: [],
      waits: waiting.length > 0,
      refusal: refused?.refusal,
      decider: refused?.by,
      pseudonym,
      before: { allowed: new Set(), declined: new Set() },
      selected: false,
      limits: [],
      redirectUri,
      startPlaces: ways.flatMap(({ startsAt }) => startsAt ?? []),
      shown: '',
      csrf: '',
      action: '#',
      open,
      yourApps,
      until: epochSeconds() + limits.lifetimes(site).grant,
    });
    return exampleOf(
      page,
      (t) => html`${t.html('example.preview')} <a href="${back}">${t.html('example.preview.back')}</a>`,
    );
  };
}
