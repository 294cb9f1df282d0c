import type { ClientAudience } from '../../contracts/client.ts';
import type { AccessRule, HostPlatform } from '../../host/platform.ts';
import { field, type Form, readForm } from '../../http/body.ts';
import type { RouteCall } from '../../contracts/route.ts';
import type { TextKey } from '../../i18n/texts.ts';
import { currentTrace } from '../../runtime/timeout.ts';
import type { CsrfTokens } from './csrf-tokens.ts';
import { messagePage } from './error-page.ts';
import type { MemberPageContext } from './member-page.ts';
import { type Pages, redirectSeeOther } from './pages.ts';

export interface PageAccessOptions {
  readonly platform: Pick<HostPlatform, 'signedInMember' | 'signInUrl' | 'findMember'>;
  readonly access: AccessRule;
  readonly csrfTokens: CsrfTokens;
  readonly pages: Pages;
}

export interface MemberPageRequest {
  readonly context: MemberPageContext;
  /** The submitted form, its CSRF token verified; absent for a GET. */
  readonly form: Form | undefined;
}

interface RequiredAccess {
  readonly path: string;
  readonly audience: ClientAudience;
  /** What is said to others. @default of OAuth applications, or of connected apps */
  readonly forbidden?: TextKey | undefined;
}

/**
 * Requires a signed-in member with access to the page and, for a POST, a valid CSRF token. Returns `undefined` after
 * sending the response itself: a redirect to the sign-in page, or a page that says why not.
 */
export async function requireMember(
  { platform, access, csrfTokens, pages }: PageAccessOptions,
  { path, audience, forbidden }: RequiredAccess,
  { ctx, site }: RouteCall,
): Promise<MemberPageRequest | undefined> {
  // A submitted form is lost during sign-in, so the visitor returns to the page without it.
  const here = `${site.origin}${ctx.path}${ctx.search}`;
  const signedIn = await platform.signedInMember(ctx, site);
  if (!signedIn) {
    redirectSeeOther(ctx, await platform.signInUrl(ctx, site, here, { fresh: false }));
    return undefined;
  }
  const [member, switchAccountUrl] = await Promise.all([
    platform.findMember(site, signedIn.memberId),
    platform.signInUrl(ctx, site, here, { fresh: true }),
  ]);
  if (!member || access(member, audience) !== 'permitted') {
    const text = forbidden ?? (audience === 'operator' ? 'forbidden.operator' : 'forbidden.member');
    const action = { text: 'forbidden.button', href: switchAccountUrl } as const;
    const values = { school: site.name };
    await pages.send(ctx, site, messagePage({ title: 'forbidden.title', texts: [text], values, status: 403, action }));
    return undefined;
  }
  const trace = currentTrace();
  if (trace) trace.actor = { kind: audience, id: member.id };
  const binding = { siteId: site.id, form: path, memberId: member.id };
  const form = ctx.method === 'POST' ? await readForm(ctx) : undefined;
  if (form && !csrfTokens.verify(binding, field(form, 'csrf'))) {
    const action = { text: 'expired.form.again', href: here } as const;
    await pages.send(ctx, site, messagePage({ title: 'expired.title', texts: ['expired.form'], status: 400, action }));
    return undefined;
  }
  return { context: { site, member, switchAccountUrl, path, csrf: csrfTokens.issue(binding) }, form };
}
