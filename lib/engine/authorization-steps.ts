import type { Configuration } from 'oidc-provider';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { AddedStep, AuthorizationStep } from './authorization-step.ts';
import { inEngine } from './engine-errors.ts';
import { addressParameter } from './normalized-request.ts';
import {
  checkChallenge,
  checkLoopback,
  checkMaxAge,
  checkResource,
  checkSent,
  checkSentScopes,
  dropDeviceHint,
  keepHintedMember,
} from './parameter-checks.ts';
import { authorizationParameters } from './parameter-limits.ts';
import { joinPlatformSession } from './sign-in.ts';

/**
 * Our part of an authorization request, in its order. The engine has checked the client, the redirect URI and `id_token_hint`, so an error
 * reaches the client; it has stored nothing, and looks at its session next, so the last step signs in. Its one place for code there is
 * the option `extraParams`: functions by parameter, which it calls in the order of this list.
 *
 * @param added - those of features
 */
export function authorizationSteps(
  catalogue: ScopeCatalogue,
  added: readonly AddedStep[] = [],
): readonly AuthorizationStep[] {
  return [
    { name: 'limit what is stored', parameter: 'response_type', run: checkSent(authorizationParameters(added)) },
    { name: 'refuse unknown scopes', parameter: 'scope', run: (ctx) => checkSentScopes(ctx, catalogue) },
    { name: 'check the port', parameter: 'redirect_uri', run: checkLoopback },
    { name: 'allow one resource', parameter: 'resource', run: checkResource },
    { name: 'check the challenge', parameter: 'code_challenge', run: checkChallenge },
    { name: 'drop the hint of a device', parameter: 'login_hint', run: dropDeviceHint },
    { name: 'keep whom the hint names', parameter: 'id_token_hint', run: keepHintedMember },
    { name: 'check the age', parameter: 'max_age', run: checkMaxAge },
    { name: 'accept our address', parameter: addressParameter },
    ...added,
    { name: 'sign in', parameter: 'prompt', run: joinPlatformSession },
  ];
}

/** The engine's option for them. */
export function extraParams(steps: readonly AuthorizationStep[]): Configuration['extraParams'] {
  return Object.fromEntries(
    steps.map(({ parameter, run }) => [
      parameter,
      run ? (ctx, value: unknown) => inEngine(() => run(ctx, value)) : null,
    ]),
  );
}
