import { clientPrograms } from '../../lib/simulated-clients/client-programs.ts';
import type { KnownClient, ReplayProgram } from '../../lib/simulated-clients/program.ts';
import { isProgramId, type ProgramId } from '../../lib/core/known-programs/known-programs.ts';
import { harbourSite } from '../helpers/sites.ts';
import { registrationPolicies } from './recommended-policies.ts';

/**
 * How a program becomes a client with the recommended configuration: by its metadata document, by a registration policy, or
 * by an application that an operator creates because no policy admits it.
 */
export type Admission = 'document' | 'vendorPlatforms' | 'loopbackClients' | 'application';

/** A way in which a program connects. */
export interface ClientRow {
  readonly name: string;
  /** The name without the variant. */
  readonly product: string;
  readonly program: ReplayProgram;
  readonly admission: Admission;
  /** Why it cannot sign in at `/mcp`; absent if it can. Specification: Anonymous and missing tokens 1. */
  readonly whyNotAtMcp: string | undefined;
}

/** Products that are part of a known program under another id. */
const partOf: Readonly<Partial<Record<KnownClient, ProgramId>>> = {
  'vs-code-insiders': 'vs-code',
  'cursor-cloud-agents': 'cursor',
};

/** The program of a product; none for an SDK. */
export function programOfProduct(product: KnownClient): ProgramId | undefined {
  return partOf[product] ?? (isProgramId(product) ? product : undefined);
}

const site = harbourSite();

async function admissionOf({ document, registration }: ReplayProgram): Promise<Admission> {
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

async function rowOf(program: ReplayProgram): Promise<ClientRow> {
  const { name, behaviour } = program;
  const waits = behaviour.start === 'unauthorized';
  return {
    name,
    product: name.split(',')[0] ?? name,
    program,
    admission: await admissionOf(program),
    whyNotAtMcp: waits ? 'it was served without a token, so it never signs in' : undefined,
  };
}

/** The rows that the tests replay, and from which docs/clients.md is written. */
export function clientRows(): Promise<readonly ClientRow[]> {
  return Promise.all(clientPrograms.map(rowOf));
}
