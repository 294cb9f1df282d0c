import type { Interaction } from 'oidc-provider';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import type { Engine } from '../provider/engine.ts';

/**
 * The interaction with this id, if this browser's signed cookie names it too. `undefined` for one that has expired, has
 * ended, or was started in another browser.
 */
export async function openInteraction(
  engine: Engine,
  request: EngineRequest,
  uid: string,
): Promise<Interaction | undefined> {
  const { provider } = engine;
  const cookies = engine.context(request, request.ctx.url).cookies;
  if (cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) return undefined;
  return withEngineRequest(request, () => provider.Interaction.find(uid));
}

/** Saves the result and returns the address at which the engine resumes. */
export async function finishInteraction(
  request: EngineRequest,
  interaction: Interaction,
  result: NonNullable<Interaction['result']>,
): Promise<string> {
  // The results of earlier prompts of this request stay.
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
  // The engine resumes only in the session that the interaction began in; another person has another session.
  const accountId = result.login?.accountId;
  if (accountId !== undefined && accountId !== interaction.session?.accountId) interaction.session = undefined;
  await withEngineRequest(request, () => interaction.persist());
  return interaction.returnTo;
}

/** A parameter of the authorization request that started the interaction; empty when it was not sent. */
export function requestParameter(interaction: Interaction, name: string): string {
  const value = interaction.params[name];
  return typeof value === 'string' ? value : '';
}
