import { randomUUID } from 'node:crypto';
import type { AdapterPayload, Configuration } from 'oidc-provider';
import { assertionAudiences } from '../../core/clients/assertion-audience.ts';
import { keyMark, keysOf } from '../../core/clients/client-keys.ts';
import { InvalidClient } from '../../kernel/errors.ts';
import { serializeRecord } from '../../records/codec.ts';
import { digest } from '../../kernel/crypto.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { clockTolerance } from '../../engine/configuration.ts';
import { inEngine } from '../../engine/engine-errors.ts';
import { type EngineRequest, requestOf } from '../../engine/engine-request.ts';
import { WrongAudience } from './engine-texts.ts';
import type { AssertionLimiter } from './assertion-limiter.ts';
import type { RecordStore } from '../../records/record-store.ts';

/** Seconds until an assertion ends, at most. */
const maxLifetime = 60 * 60;

/** How long it is remembered that one was used: longer than any process accepts it. */
const remembered = maxLifetime + 2 * clockTolerance + 60;

const types: readonly unknown[] = [undefined, 'jwt', 'client-authentication+jwt'];

/** What the engine does not check. An audience of its own keeps an assertion from being used elsewhere. RFC 7523 section 3; RFC 10070 section 4. */
export const assertClaims: NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> = (
  ctx,
  { aud, exp },
  { typ, kid },
  { clientId },
) =>
  inEngine(async () => {
    const request = requestOf(ctx);
    const { proof } = request.sender;
    // It is verified.
    proof?.method.finished(proof);
    const { site } = request;
    const client = (await request.client(clientId)) ?? {};
    const [audience, ...others] = [aud].flat();
    if (others.length > 0 || !assertionAudiences(site, client).some((each) => each === audience)) {
      throw new WrongAudience(site.origin);
    }
    if (typeof exp !== 'number' || exp > epochSeconds() + maxLifetime + clockTolerance) {
      throw new InvalidClient('exp of client_assertion must be at most an hour ahead');
    }
    if (!types.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) {
      throw new InvalidClient('typ of client_assertion must be JWT or client-authentication+jwt, or absent');
    }
    const mark = keyMark(keysOf(client), kid);
    if (mark === undefined) throw new Error('the engine verifies an assertion with a key that it does not name');
    request.secret = mark;
  });

export interface AssertionOptions {
  readonly store: RecordStore;
  readonly assertions: AssertionLimiter;
}

/**
 * Notes the one use of an assertion, for all processes. A store that is asked twice by one request, because its first answer was lost, says
 * the same twice. @throws InvalidClient for the second use; `slow_down` above the limit of the client
 */
export async function useAssertion(
  { store, assertions }: AssertionOptions,
  request: EngineRequest,
  id: string,
  { iss: clientId = '' }: AdapterPayload,
): Promise<void> {
  const { site } = request;
  await assertions.use(site, { clientId, app: request.appOf(clientId) });
  const isFirst = await store.save(site.id, {
    kind: 'OneTimeSecret',
    id: digest(JSON.stringify(['assertion', clientId, id])),
    record: serializeRecord('OneTimeSecret', { client_id: clientId, shown: randomUUID() }),
    ttl: remembered,
    replaces: null,
  });
  if (!isFirst)
    throw new InvalidClient('this client_assertion was used before; make one for each request, with another jti');
}
