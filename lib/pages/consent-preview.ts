import { type ClientUse, clientUse } from '../core/decisions/allowance.ts';
import type { ClientFinder } from '../core/clients/client-finder.ts';
import { storedGrantMembers } from '../core/clients/client-grant-types.ts';
import type { Enabled } from '../core/enabled/enabled.ts';
import { clientInfo } from '../core/clients/client-metadata.ts';
import type { ConsentOptions } from '../core/grants/consent.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { ChoiceView } from './consent-choice.ts';
import { consentPage } from './consent-page.ts';
import { html } from './kit/markup.ts';
import type { MemberPageContext } from './kit/member-page.ts';
import { exampleOf, type PageBuilder } from './kit/pages.ts';

interface PreviewOptions extends Pick<ChoiceView, 'open' | 'connectedApps'> {
  readonly enabled: Enabled;
  readonly clients: ClientFinder;
  readonly consenting: Pick<ConsentOptions, 'allowance' | 'personDecision' | 'catalogue' | 'lifetimes'>;
}

/** The consent page of a client for who looks at it, if it has one; `back` leads to where they came from. */
export type ConsentPreview = (
  context: MemberPageContext,
  clientId: string,
  back: string,
) => Promise<PageBuilder | undefined>;

/** Asks for all that the client may request, as for a person who has never allowed it anything. Nothing is fetched or stored. */
export function consentPreview({ enabled, clients, consenting, open, connectedApps }: PreviewOptions): ConsentPreview {
  const { allowance, personDecision, catalogue, lifetimes } = consenting;
  return async (context, clientId, back) => {
    const { site, member } = context;
    const metadata = await clients(site.id, clientId, 'identify');
    // Empty for one that needs none.
    const [redirectUri = ''] = metadata?.redirect_uris ?? [];
    const used = clientUse(metadata);
    const given = metadata && redirectUri === '' ? storedGrantMembers(enabled.known, metadata) : {};
    const ways = enabled.known.byMember.filter(({ clientMember }) => given[clientMember]);
    if (!metadata || !used || (redirectUri === '' && ways.length === 0)) return undefined;
    const client = clientInfo(metadata);
    const use: ClientUse = { ...used, site, member };
    const allowed = await allowance(use);
    const { refusal, scopes, texts, waiting } = await personDecision({
      site,
      member,
      metadata,
      allowed,
      requested: catalogue.of(client.audience),
      purpose: 'explain',
      assumesRole: true,
    });
    const page = consentPage({
      ...context,
      scopes,
      texts,
      denied: scopes.length === 0,
      client,
      beyond: [],
      waits: waiting.length > 0,
      refusal,
      decider: allowed.refusedBy,
      pseudonym: allowed.pseudonym,
      before: { allowed: new Set(), declined: new Set() },
      selected: false,
      limits: [],
      redirectUri,
      startPlaces: ways.flatMap(({ startsAt }) => startsAt ?? []),
      shown: '',
      csrf: '',
      action: '#',
      open,
      connectedApps,
      until: epochSeconds() + lifetimes(site).grant,
    });
    return exampleOf(
      page,
      (t) => html`${t.html('example.preview')} <a href="${back}">${t.html('example.preview.back')}</a>`,
    );
  };
}
