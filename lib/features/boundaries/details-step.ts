import type { KoaContextWithOIDC } from 'oidc-provider';
import type { DeclaredBoundary } from '../../core/boundaries/boundary.ts';
import { isFirstParty } from '../../core/clients/client-metadata.ts';
import type { AddedStep } from '../../engine/authorization-step.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { askedLimits, detailsParameter } from './domain/asked-limits.ts';
import { maxCharacters } from './domain/limits.ts';

/** An app may ask to be limited; the person decides. RFC 9396 section 5. */
export function detailsStep(declared: readonly DeclaredBoundary[]): AddedStep {
  return {
    name: 'check what it asks to be limited to',
    parameter: detailsParameter,
    maxLength: maxCharacters,
    run: (ctx, sent) => check(ctx, sent),
  };

  function check({ oidc }: KoaContextWithOIDC, sent: unknown): void {
    if (sent === undefined) return;
    const problem = isFirstParty(oidc.client ?? {})
      ? 'must not be sent by an application of the platform, for which people are not asked; leave it out'
      : askedLimits(sent, declared);
    if (typeof problem === 'string')
      throw new OAuthError('invalid_authorization_details', `${detailsParameter} ${problem}`);
  }
}
