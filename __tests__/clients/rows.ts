import type { Site } from '../../lib/index.ts';
import { clientPrograms } from '../../lib/testing/clients/client-programs.ts';
import type { ClientProgram } from '../../lib/testing/clients/program.ts';
import { registrationPolicies } from './recommended-policies.ts';

/**
 * How a program becomes a client with the recommended configuration: by its metadata document, by a registration policy, or
 * by an application that an operator creates because no policy admits it.
 */
export type Admission = 'document' | 'vendorPlatforms' | 'loopbackClients' | 'application';

/** A program of clients in use, and how it gets in. */
export interface ClientRow {
  readonly name: string;
  readonly program: ClientProgram;
  readonly admission: Admission;
}

const site: Site = {
  id: 'harbour',
  origin: 'https://harbour.example',
  name: 'Harbour School',
  connectionsEnabled: true,
};

async function admissionOf({ document, registration }: ClientProgram): Promise<Admission> {
  if (document !== undefined) return 'document';
  if (!registration) return 'application';
  const metadata = {
    client_name: registration.clientName,
    redirect_uris: registration.redirectUris,
    token_endpoint_auth_method: registration.authMethods[0],
  };
  for (const policy of registrationPolicies) {
    const ask = async () => policy.decide({ site, metadata });
    const verdict = await ask().catch(() => undefined);
    if (verdict && (policy.name === 'vendorPlatforms' || policy.name === 'loopbackClients')) return policy.name;
  }
  return 'application';
}

/** The rows that the tests replay, and from which docs/clients.md is written. */
export async function clientRows(): Promise<readonly ClientRow[]> {
  return Promise.all(
    clientPrograms.map(async (program) => ({ name: program.name, program, admission: await admissionOf(program) })),
  );
}
