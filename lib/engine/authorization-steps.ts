import type { Configuration } from 'oidc-provider';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
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
  type ParameterCheck,
} from './parameter-checks.ts';
import { joinPlatformSession } from './sign-in.ts';

/** A step of ours in an authorization request. */
export interface AuthorizationStep {
  readonly name: string;
  /** The parameter under which the engine calls it, which it accepts besides its own. One step each. */
  readonly parameter: string;
  /** @default the parameter is accepted as it is */
  readonly run?: ParameterCheck;
}

/**
 * Our part of an authorization request, in its order. The engine has checked the client, the redirect URI and `id_token_hint`, so an error
 * reaches the client; it has stored nothing, and looks at its session next, so the last step signs in. Its one place for code there is
 * the option `extraParams`: functions by parameter, which it calls in the order of this list.
 */
export function authorizationSteps(catalogue: ScopeCatalogue): readonly AuthorizationStep[] {
  return [
    { name: 'limit what is stored', parameter: 'response_type', run: checkSent },
    { name: 'refuse unknown scopes', parameter: 'scope', run: (ctx) => checkSentScopes(ctx, catalogue) },
    { name: 'check the port', parameter: 'redirect_uri', run: checkLoopback },
    { name: 'allow one resource', parameter: 'resource', run: checkResource },
    { name: 'check the challenge', parameter: 'code_challenge', run: checkChallenge },
    { name: 'drop the hint of a device', parameter: 'login_hint', run: dropDeviceHint },
    { name: 'keep whom the hint names', parameter: 'id_token_hint', run: keepHintedMember },
    { name: 'check the age', parameter: 'max_age', run: checkMaxAge },
    { name: 'accept our address', parameter: addressParameter },
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
