import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../runtime/timeout.ts';
import type { RegistrationResponse } from '../contracts/registration.ts';
import type { Site } from '../contracts/platform.ts';
import type { Store } from '../contracts/store.ts';
import type { ClientFinder } from '../clients/finder.ts';
import type { OnAudit } from '../runtime/audit-event.ts';
import { readJson } from '../http/body.ts';
import type { Route } from '../contracts/route.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import { serializeRecord } from '../records/codec.ts';
import { paths } from '../protocol/paths.ts';
import { decideRegistration, type RegistrationDecision, type RegistrationRules } from './decide.ts';
import { readMetadata, registrationSchema } from './schema.ts';

interface RegistrationOptions extends RegistrationRules {
  readonly store: Pick<Store, 'save'>;
  readonly clients: ClientFinder;
  readonly limit: Limiter;
  readonly onAudit: OnAudit;
}

/** The registration endpoint. Specification: OAuth endpoints. */
export function registrationRoute(options: RegistrationOptions): Route {
  return {
    path: paths.register,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      const metadata = readMetadata(await readJson(ctx));
      const decision = await decideRegistration(options, { site, metadata });
      // Only stored registrations consume quota, so that no one can lock out a vendor.
      if (decision.outcome === 'admitted') await options.limit(ctx, site.id);
      const siteId = site.id;
      if (decision.outcome === 'refused') {
        options.onAudit({ action: 'registration.refused', siteId, reason: decision.error.error });
      }
      const response = await responseFor(options, site, decision);
      if (decision.outcome === 'admitted') {
        const record = serializeRecord({ ...response, campus_audience: 'operator', campus_source: 'registered' });
        await options.store.save(site.id, { kind: 'Client', id: response.client_id, record, ttl: decision.ttl });
      }
      if (decision.outcome !== 'refused') {
        const { client_id: clientId } = response;
        options.onAudit({ action: 'registration.admitted', siteId, reason: decision.policy, clientId });
      }
      ctx.body = response;
      ctx.status = 201;
    },
  };
}

/** An admitted client gets a random id; nothing is stored. */
export async function responseFor(
  { clients }: Pick<RegistrationOptions, 'clients'>,
  site: Site,
  decision: RegistrationDecision,
): Promise<RegistrationResponse> {
  if (decision.outcome === 'refused') throw decision.error;
  if (decision.outcome === 'admitted') {
    const client_id = `reg-${randomBytes(16).toString('base64url')}`;
    return { ...shown({ ...decision.metadata }), client_id, client_id_issued_at: epochSeconds() };
  }
  const { policy, clientId: client_id } = decision;
  const known = await clients(site.id, client_id, 'identify');
  if (!known) throw new TypeError(`${policy} returned the client ${client_id}, which is not one of its clients`);
  return { ...shown(known), client_id };
}

/** Without the members of this package and the secret. */
function shown(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(registrationSchema.properties).map((name) => [name, metadata[name]]));
}
