import type { AdapterPayload } from 'oidc-provider';
import type { RecordKind } from '../contracts/store.ts';
import { epochSeconds } from '../runtime/clock.ts';
import { currentEngineRequest } from './engine-request.ts';

/** Returns the part of a stored record that the engine may use for the current request. */
export async function usableRecord(
  kind: RecordKind,
  payload: AdapterPayload,
  refreshGrace: number,
): Promise<AdapterPayload | undefined> {
  if (kind === 'Session') return (await isSignedIn(payload.accountId)) ? payload : undefined;
  if (kind === 'Interaction') return withoutOtherLogin(payload);
  if (kind === 'RefreshToken') return withGraceWindow(payload, refreshGrace);
  return payload;
}

/** Drops a sign-in result when another person, or nobody, is signed in by now; the engine then asks again. */
async function withoutOtherLogin(payload: AdapterPayload): Promise<AdapterPayload> {
  const login = payload.result?.login;
  return !login || (await isSignedIn(login.accountId)) ? payload : { ...payload, result: undefined };
}

/**
 * Within the grace window the engine handles a redeemed refresh token like a fresh one: it authenticates the client and
 * checks the request. The redemption then loses and returns the first response.
 */
function withGraceWindow(payload: AdapterPayload, refreshGrace: number): AdapterPayload {
  const { consumed } = payload;
  const inWindow = typeof consumed === 'number' && epochSeconds() < consumed + refreshGrace;
  return inWindow ? { ...payload, consumed: undefined } : payload;
}

/** Whether the platform's session belongs to this account; a session without an account is usable by anyone. */
async function isSignedIn(accountId: string | undefined): Promise<boolean> {
  return accountId === undefined || accountId === (await currentEngineRequest().signedIn())?.memberId;
}
