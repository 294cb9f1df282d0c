import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../runtime/clock.ts';
import type { RegisteredClientMetadata, RegistrationPolicy } from '../contracts/registration.ts';
import type { Site } from '../contracts/platform.ts';
import type { Store } from '../contracts/store.ts';
import type { ClientFinder } from '../clients/finder.ts';
import type { AuditEvent, OnAudit } from '../runtime/events.ts';
import { readJson } from '../http/body.ts';
import type { Route } from '../http/route.ts';
import type { Limiter } from '../rate-limit/limiter.ts';
import { serializeRecord } from '../records/codec.ts';
import { paths } from '../protocol/paths.ts';
import { decideRegistration, type RegistrationDecision } from './decide.ts';
import { readMetadata } from './schema.ts';

/** What registration rests on. */
export interface RegistrationOptions {
  readonly policies: readonly RegistrationPolicy[];
  readonly store: Pick<Store, 'save'>;
  readonly clients: ClientFinder;
  readonly limit: Limiter;
  readonly onAudit: OnAudit;
}

/** What registration answers: the client as it is known here, never a secret. RFC 7591 section 3.2.1. */
export interface RegistrationResponse {
  readonly client_id: string;
  readonly [member: string]: unknown;
}

/** The registration endpoint; only there while a policy is configured. Specification: OAuth endpoints. */
export function registrationRoute(options: RegistrationOptions): Route {
  return {
    path: paths.register,
    methods: ['POST'],
    kind: 'api',
    handle: async ({ ctx, site }) => {
      const metadata = readMetadata(await readJson(ctx));
      const decision = await decideRegistration(options.policies, { site, metadata });
      options.onAudit(auditOf(site, decision));
      // Only what is written is counted: nobody can lock a vendor out.
      if (decision.outcome === 'admitted') await options.limit(ctx, site.id);
      const answer = await responseFor(options, site, decision);
      if (decision.outcome === 'admitted') await keep(options, site, decision, answer);
      ctx.body = answer;
      ctx.status = 201;
    },
  };
}

function auditOf(site: Site, decision: RegistrationDecision): AuditEvent {
  const refused = decision.outcome === 'refused';
  return {
    what: 'registration',
    decision: refused ? 'refused' : 'allowed',
    reason: refused ? decision.error.error : decision.policy,
    siteId: site.id,
    ...(decision.outcome === 'known' && { clientId: decision.clientId }),
  };
}

/**
 * What a decision answers. For a client that is admitted this makes up an id, and writes nothing.
 *
 * @throws the refusal
 */
export async function responseFor(
  { clients }: Pick<RegistrationOptions, 'clients'>,
  site: Site,
  decision: RegistrationDecision,
): Promise<RegistrationResponse> {
  if (decision.outcome === 'refused') throw decision.error;
  if (decision.outcome === 'admitted') return admittedAnswer(decision.metadata);
  const known = await clients(site.id, decision.clientId);
  if (!known) {
    throw new TypeError(`${decision.policy} answered the client ${decision.clientId}, which is not among its clients`);
  }
  return { ...shown(known), client_id: decision.clientId };
}

function admittedAnswer(metadata: RegisteredClientMetadata): RegistrationResponse {
  const client_id = `reg-${randomBytes(16).toString('base64url')}`;
  return { ...shown({ ...metadata }), client_id, client_id_issued_at: epochSeconds() };
}

const shownMembers = [
  'client_name',
  'application_type',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'scope',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
];

function shown(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(shownMembers.map((name) => [name, metadata[name]]));
}

/** Kept for as long as the policy says; a consent makes it live as long as the grant. */
async function keep(
  { store }: RegistrationOptions,
  site: Site,
  { ttl }: Extract<RegistrationDecision, { outcome: 'admitted' }>,
  answer: RegistrationResponse,
): Promise<void> {
  const record = serializeRecord({ ...answer, campus_audience: 'operator', campus_source: 'registered' });
  await store.save(site.id, { kind: 'Client', id: answer.client_id, record, ttl });
}
