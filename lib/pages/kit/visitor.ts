import type { ClientAudience } from '../../contracts/client.ts';
import type { Member } from '../../contracts/platform.ts';
import type { HostPlatform } from '../../host/platform.ts';
import { field, type Form, readForm } from '../../http/body.ts';
import type { RouteCall } from '../../contracts/route.ts';
import type { MemberPageContext } from './member-page.ts';
import type { FormTokens } from './form-token.ts';
import { messagePage } from './message-page.ts';
import type { Pages } from './pages.ts';
import { seeOther } from './see-other.ts';
import type { AccessRule } from '../../host/access-rule.ts';

/** What pages rest on where somebody manages something. */
export interface VisitorOptions {
  readonly platform: Pick<HostPlatform, 'signedInMember' | 'signInUrl' | 'findMember'>;
  readonly access: AccessRule;
  readonly tokens: FormTokens;
  readonly pages: Pages;
}

/** Where a gate leads. */
export interface VisitorRequirement {
  /** The path of the first page. */
  readonly path: string;
  /** For whom it is: any member, or operators. */
  readonly audience: ClientAudience;
}

/** A visitor who may be here, with the form that they have sent. */
export interface Visitor {
  readonly desk: MemberPageContext;
  /** Absent for a GET. */
  readonly form: Form | undefined;
}

/**
 * Lets the right people in: others are sent to the sign-in page, or told that this is not for them. A posted form must
 * be one that this person was shown here. Answers nothing when the visitor has been answered.
 */
export async function authenticateVisitor(
  options: VisitorOptions,
  { path, audience }: VisitorRequirement,
  { ctx, site }: RouteCall,
): Promise<Visitor | undefined> {
  const { platform, access, tokens, pages } = options;
  const posted = ctx.method === 'POST';
  // What was posted is gone after signing in; the page itself is shown again.
  const here = `${site.origin}${ctx.path}${posted ? '' : ctx.search}`;
  const signedIn = await platform.signedInMember(ctx, site);
  if (!signedIn) {
    seeOther(ctx, await platform.signInUrl(ctx, site, here, { fresh: false }));
    return undefined;
  }
  const [member, notYou] = await Promise.all([
    platform.findMember(site, signedIn.memberId),
    platform.signInUrl(ctx, site, here, { fresh: true }),
  ]);
  if (!isPermitted(access, member, audience)) {
    const text = audience === 'operator' ? 'forbidden.operator' : 'forbidden.member';
    const wayOut = { text: 'forbidden.button', href: notYou } as const;
    const values = { school: site.name };
    pages.send(ctx, site, messagePage({ title: 'forbidden.title', texts: [text], values, status: 403, wayOut }));
    return undefined;
  }
  const owner = { siteId: site.id, form: path, memberId: member.id };
  const form = posted ? await readForm(ctx) : undefined;
  if (form && !tokens.verify(owner, field(form, 'csrf'))) {
    const wayOut = { text: 'expired.form.again', href: here } as const;
    pages.send(ctx, site, messagePage({ title: 'expired.title', texts: ['expired.form'], status: 400, wayOut }));
    return undefined;
  }
  return { desk: { site, member, notYou, path, csrf: tokens.issue(owner) }, form };
}

function isPermitted(rule: AccessRule, member: Member | undefined, audience: ClientAudience): member is Member {
  return member !== undefined && rule(member, audience) === 'permitted';
}
