import { epochSeconds } from '../../kernel/clock.ts';
import type { RegistrationExplanation, RegistrationResponse } from '../../core/clients/registered-metadata.ts';
import type { Site } from '../../host/school-platform.ts';
import { readJson, requireWellFormed } from '../../http/body.ts';
import type { Route } from '../../http/route.ts';
import type { Limiter } from '../../core/limits/request-limiters.ts';
import { serializeRecord } from '../../records/codec.ts';
import { paths } from '../../http/paths.ts';
import { decideRegistration, type RegistrationDecision, type RegistrationRules, rulesFrom } from './decide.ts';
import type { OnAudit } from '../../observe/audit-event.ts';
import { claimsOf } from '../../observe/claimed-metadata.ts';
import type { RegistrationRequest } from './domain/registration-policy.ts';
import type { RecordStore } from '../../records/record-store.ts';
import { readMetadata, registrationSchema } from './schema.ts';
import { statedProperties } from '../../core/enabled/client-property.ts';
import { OAuthError } from '../../kernel/errors.ts';
import { objectOf } from '../../kernel/json.ts';
import type { Parts } from '../parts.ts';

interface RegistrationOptions {
  readonly rules: RegistrationRules;
  readonly store: RecordStore;
  readonly onAudit: OnAudit;
  readonly limit: Limiter;
}

/** The registration endpoint. Specification: OAuth endpoints. */
export function registrationRoute(options: RegistrationOptions): Route {
  return {
    path: paths.register,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      const sent = await readJson(ctx);
      const siteId = site.id;
      const decision = await decideSent(options.rules, site, sent);
      if (decision.outcome === 'refused') {
        const { client_name: name, redirect_uris: redirectUris } = Object(sent);
        const claimed = claimsOf({ name, redirectUris });
        options.onAudit({ action: 'registration.refused', siteId, reason: decision.error.error, claimed });
        throw decision.error;
      }
      const { clientId, policy: reason } = decision;
      const app = decision.outcome === 'admitted' ? decision.app : undefined;
      // Only stored registrations consume quota, so that no one can lock out a vendor.
      if (decision.outcome === 'admitted') await options.limit(ctx, site);
      const response = await responseFor(options.rules, site, decision, sent);
      if (decision.outcome === 'admitted') {
        const own = { campus_audience: 'operator', campus_source: 'registered', campus_app: app };
        const record = serializeRecord('Client', { ...response, ...own });
        await options.store.save(siteId, { kind: 'Client', id: clientId, record, ttl: decision.ttl });
      }
      options.onAudit({ action: 'registration.admitted', siteId, reason, clientId, app: app?.id });
      ctx.body = response;
      ctx.status = 201;
    },
  };
}

/** Metadata that is not even well-formed is refused too. */
async function decideSent(rules: RegistrationRules, site: Site, sent: unknown): Promise<RegistrationDecision> {
  let metadata: RegistrationRequest['metadata'];
  try {
    metadata = readMetadata(sent);
  } catch (error) {
    if (error instanceof OAuthError && error.status < 500) return { outcome: 'refused', policy: undefined, error };
    throw error;
  }
  return decideRegistration(rules, { site, metadata });
}

/** An admitted client gets a random id; nothing is stored. */
async function responseFor(
  { clients, enabled }: RegistrationRules,
  site: Site,
  decision: RegistrationDecision,
  sent: unknown,
): Promise<RegistrationResponse> {
  if (decision.outcome === 'refused') throw decision.error;
  if (decision.outcome === 'admitted') {
    const { clientId: client_id, metadata } = decision;
    return {
      ...shown({ ...metadata }),
      ...statedProperties(enabled, objectOf(sent)),
      client_id,
      client_id_issued_at: epochSeconds(),
    };
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

export async function explainRegistration(parts: Parts, site: Site, body: unknown): Promise<RegistrationExplanation> {
  const rules = rulesFrom(parts);
  let policy: string | undefined;
  try {
    requireWellFormed(body);
    const decision = await decideRegistration(rules, { site, metadata: readMetadata(body) });
    policy = decision.policy;
    const response = await responseFor(rules, site, decision, body);
    return { outcome: decision.outcome, policy, status: 201, body: response };
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    return { outcome: 'refused', policy, status: error.status, body: error.toJSON() };
  }
}
