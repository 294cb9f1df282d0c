import type { McpDescription, MemberApiDescription } from '../contracts/plugin.ts';
import type { RegistrationGuide } from '../contracts/registration.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Lifetimes, Limits } from '../contracts/limits.ts';
import type { Settings } from '../options/options.ts';

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
  /** Absent without the plug-in. */
  readonly memberApi: MemberApiDescription | undefined;
  /** Absent without the plug-in. */
  readonly mcp: McpDescription | undefined;
  /** Paths that accept an access token; each has its own protected-resource metadata. */
  readonly protectedPaths: readonly string[];
}

export function describeService(
  settings: Pick<Settings, 'keys' | 'registration' | 'metadataDocuments' | 'lifetimes' | 'limits'>,
  plugins: Pick<ServiceDescription, 'memberApi' | 'mcp' | 'protectedPaths'>,
): ServiceDescription {
  const { keys, registration, metadataDocuments: documents, lifetimes, limits } = settings;
  return {
    signs: keys.signing.length > 0,
    registration: registration.map(({ name, guide }) => ({ name, guide })),
    documents: documents && { guide: documents.guide },
    lifetimes,
    limits,
    ...plugins,
  };
}

/** The error codes that a service with this configuration can return. */
export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, limits, mcp }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  const absent = new Set<string>([
    ...(registers ? [] : ['invalid_redirect_uri']),
    ...(registers || documents ? [] : ['invalid_client_metadata']),
    ...(limits === false ? ['slow_down'] : []),
  ]);
  return codes.filter((code) => !absent.has(code.error) && (mcp !== undefined || !isOfTools(code)));
}

/** Only the tool endpoint checks the origin of a script. */
function isOfTools({ error, status }: ErrorCode): boolean {
  return error === 'access_denied' && status === 403;
}
