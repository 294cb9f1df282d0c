import type { McpDescription, MemberApiDescription } from '../contracts/plugin.ts';
import type { RegistrationGuide } from '../contracts/registration.ts';
import type { ErrorCode } from './error-codes.ts';
import type { Lifetimes } from '../contracts/lifetimes.ts';
import type { Limits } from '../contracts/limits.ts';
import type { Settings } from '../options/options.ts';

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
  /** Absent without the plug-in. */
  readonly memberApi: MemberApiDescription | undefined;
  /** Absent without the plug-in. */
  readonly mcp: McpDescription | undefined;
  /** Paths that take an access token; each has protected-resource metadata of its own. */
  readonly protectedPaths: readonly string[];
}

/** What the documents tell of a configuration. */
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

/** The errors that can occur where these are the facts. */
export function occurring<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, limits, mcp }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  const absent = new Set<string>([
    ...(registers ? [] : ['invalid_redirect_uri']),
    ...(registers || documents ? [] : ['invalid_client_metadata']),
    ...(limits === false ? ['slow_down'] : []),
  ]);
  // Only the tool endpoint looks at the origin of a script.
  const isOfTools = ({ error, status }: ErrorCode): boolean => error === 'access_denied' && status === 403;
  return codes.filter((code) => !absent.has(code.error) && (mcp !== undefined || !isOfTools(code)));
}
