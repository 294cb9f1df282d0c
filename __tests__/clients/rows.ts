import { simulatedClients } from '../../lib/simulated-clients/known-clients.ts';
import type { KnownClient, ReplayClient } from '../../lib/simulated-clients/simulated-client.ts';
import { isKnownAppId, type KnownAppId } from '../../lib/core/known-apps/known-apps.ts';
import { harbourSite } from '../helpers/sites.ts';
import { registrationPolicies } from './recommended-policies.ts';

/**
 * How an app becomes a client with the recommended configuration: by its metadata document, by a registration policy, or
 * by an application that an operator creates because no policy admits it.
 */
export type Admission = 'document' | 'vendorPlatforms' | 'loopbackClients' | 'application';

/** A way in which an app connects. */
export interface ClientRow {
  readonly name: string;
  /** The name without the variant. */
  readonly product: string;
  readonly app: ReplayClient;
  readonly admission: Admission;
  /** Why it cannot sign in at `/mcp`; absent if it can. Specification: Anonymous and missing tokens 1. */
  readonly whyNotAtMcp: string | undefined;
}

/** Products that are part of a known app under another id. */
const partOf: Readonly<Partial<Record<KnownClient, KnownAppId>>> = {
  'vs-code-insiders': 'vs-code',
  'cursor-cloud-agents': 'cursor',
};

/** The app of a product; none for an SDK. */
export function appOfProduct(product: KnownClient): KnownAppId | undefined {
  return partOf[product] ?? (isKnownAppId(product) ? product : undefined);
}

const site = harbourSite();

async function admissionOf({ document, registration }: ReplayClient): Promise<Admission> {
  if (document !== undefined) return 'document';
  if (!registration) return 'application';
  const metadata = { client_name: registration.clientName, redirect_uris: registration.redirectUris };
  for (const policy of registrationPolicies) {
    const ask = async () => policy.decide({ site, metadata });
    const verdict = await ask().catch(() => undefined);
    if (verdict && (policy.name === 'vendorPlatforms' || policy.name === 'loopbackClients')) return policy.name;
  }
  return 'application';
}

async function rowOf(app: ReplayClient): Promise<ClientRow> {
  const { name, behaviour } = app;
  const waits = behaviour.start === 'unauthorized';
  return {
    name,
    product: name.split(',')[0] ?? name,
    app,
    admission: await admissionOf(app),
    whyNotAtMcp: waits ? 'it was served without a token, so it never signs in' : undefined,
  };
}

/** The rows that the tests replay, and from which docs/reference/client-apps.md is written. */
export function clientRows(): Promise<readonly ClientRow[]> {
  return Promise.all(simulatedClients.map(rowOf));
}
