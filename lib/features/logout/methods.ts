import type { Site } from '../../host/school-platform.ts';
import { siteArgument } from '../../host/site-argument.ts';
import { text } from '../../kernel/option-schemas.ts';
import type { CheckMethod } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import type { LogoutMethods } from './method-types.ts';

export function logoutMethods({ signOuts, core }: Parts, check: CheckMethod): LogoutMethods {
  const args = { site: siteArgument, memberId: text(), sessionId: text().optional() };
  return {
    signedOut: check('signedOut', args, async (site: Site, memberId: string, sessionId?: string) => {
      const { signedOut } = signOuts;
      if (!signedOut) throw new TypeError('campus.signedOut needs the option logout; set it or remove the call');
      const told = await signedOut(site, memberId, sessionId);
      const actor = { kind: 'member', id: memberId } as const;
      core.audit.onAudit({ action: 'session.ended', siteId: site.id, actor, memberId });
      return { told };
    }),
  };
}
