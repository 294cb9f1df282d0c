import type { RegistrationGuide } from '../contracts/registration.ts';
import type { JsonSchema, ToolAccess } from '../contracts/tools.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import type { Limits } from '../contracts/limits.ts';
import type { Settings } from '../options/options.ts';

export interface ToolDescription {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess;
}

/** A registration policy. Policies are listed in the order in which they are tried. */
export interface RegistrationDescription {
  readonly name: string;
  readonly guide?: RegistrationGuide | undefined;
}

/** The configuration as the documents for client developers describe it; the same at every site. */
export interface ServiceDescription {
  /** Whether ID tokens are signed. */
  readonly signs: boolean;
  /** If empty, there is no registration endpoint. */
  readonly registration: readonly RegistrationDescription[];
  /** Absent if metadata documents are not accepted as clients. */
  readonly documents: { readonly guide?: string | undefined } | undefined;
  readonly lifetimes: Lifetimes;
  readonly limits: Limits | false;
  readonly tools: readonly ToolDescription[];
  /** Whether the Member API's schema is published. */
  readonly schema: boolean;
  /** Whether the platform serves more of the Member API than the viewer's identity. */
  readonly memberData: boolean;
  /** Whether GraphiQL is served. */
  readonly graphiql: boolean;
}

export function describeService(settings: Settings, tools: readonly ToolDescription[]): ServiceDescription {
  const { keys, registration, metadataDocuments: documents, lifetimes, limits, memberApi, platform } = settings;
  return {
    signs: keys.signing.length > 0,
    registration: registration.map(({ name, guide }) => ({ name, guide })),
    documents: documents && { guide: documents.guide },
    lifetimes,
    limits,
    tools,
    schema: memberApi.introspection,
    memberData: platform.memberData !== undefined,
    graphiql: memberApi.graphiql,
  };
}

/** The error codes that a service with this configuration can return. */
export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, limits }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  const absent = new Set<string>([
    ...(registers ? [] : ['invalid_redirect_uri']),
    ...(registers || documents ? [] : ['invalid_client_metadata']),
    ...(limits === false ? ['slow_down'] : []),
  ]);
  return codes.filter(({ error }) => !absent.has(error));
}
