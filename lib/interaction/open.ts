import type { Interaction } from 'oidc-provider';
import { type EngineRequest, withEngineRequest } from '../provider/engine-request.ts';
import type { Engine } from '../provider/engine.ts';

/**
 * The interaction that this browser was sent to: the signed cookie and the address must name the same one. `undefined`
 * for one that has expired, was answered, or was begun in another browser.
 */
export async function openInteraction(
  engine: Engine,
  call: EngineRequest,
  uid: string,
): Promise<Interaction | undefined> {
  const { provider } = engine;
  const cookies = engine.context(call, call.ctx.url).cookies;
  if (cookies.get(provider.cookieName('interaction'), { signed: true }) !== uid) return undefined;
  return withEngineRequest(call, () => provider.Interaction.find(uid));
}

/** Records the outcome and answers the address at which the engine goes on. */
export async function finishInteraction(
  call: EngineRequest,
  interaction: Interaction,
  result: NonNullable<Interaction['result']>,
): Promise<string> {
  // What an earlier prompt of this request settled stays settled.
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result };
  // The engine goes on for the person of this outcome, even when another one began.
  const person = result.login?.accountId;
  if (person !== undefined && person !== interaction.session?.accountId) interaction.session = undefined;
  await withEngineRequest(call, () => interaction.persist());
  return interaction.returnTo;
}

/** A parameter of the authorization request that began an interaction; empty when it was not sent. */
export function requestParameter(interaction: Interaction, name: string): string {
  const value = interaction.params[name];
  return typeof value === 'string' ? value : '';
}
