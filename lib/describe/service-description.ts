import type { RegistrationGuide } from '../contracts/registration.ts';
import type { JsonSchema, ToolAccess } from '../contracts/tools.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import type { Limits } from '../contracts/limits.ts';
import type { Settings } from '../options/options.ts';

/** A tool as the documents describe it. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly access: ToolAccess;
}

/** A way to register, in the order in which the ways are tried. */
export interface RegistrationDescription {
  readonly name: string;
  readonly guide?: RegistrationGuide | undefined;
}

/** What of the configuration the documents for client developers tell; the same at every site. */
export interface ServiceDescription {
  /** Whether a key signs ID tokens. */
  readonly signs: boolean;
  /** Without one there is no registration endpoint. */
  readonly registration: readonly RegistrationDescription[];
  /** Absent where metadata documents are no clients. */
  readonly documents: { readonly guide?: string | undefined } | undefined;
  readonly lifetimes: Lifetimes;
  readonly limits: Limits | false;
  readonly tools: readonly ToolDescription[];
  /** Whether the Member API's schema can be read. */
  readonly schema: boolean;
  /** Whether the platform serves more to the Member API than who the viewer is. */
  readonly memberData: boolean;
  /** Whether there is a page to try the Member API at. */
  readonly graphiql: boolean;
}

/** What the documents tell of a configuration. */
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

/** The errors that can occur where these are the facts. */
export function occurring<E extends ErrorCode>(
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
