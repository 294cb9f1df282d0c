import type { McpDescription, MemberApiDescription } from '../contracts/plugin.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import type { ErrorCode } from './error-codes.ts';
import { isOffered, wordedFor } from './offered-errors.ts';
import type { Lifetimes, Limits } from '../contracts/limits.ts';
import type { Settings } from '../options/options.ts';
import type { Offered } from '../protocol/offered.ts';
import type { ScopeRow } from '../protocol/scopes.ts';
import type { ProtectedResource } from '../protocol/protected-resources.ts';

/** The configuration as the documents for client developers describe it. */
export interface ServiceDescription {
  /** Whether ID tokens are issued. */
  readonly signs: boolean;
  /** The policies in the order in which they are tried. If empty, there is no registration endpoint. */
  readonly registration: readonly Pick<RegistrationPolicy, 'name' | 'guide'>[];
  /** Absent if metadata documents are not accepted as clients. */
  readonly documents: Pick<MetadataDocumentPolicy, 'guide'> | undefined;
  readonly offered: Offered;
  readonly scopes: readonly ScopeRow[];
  readonly lifetimes: Lifetimes;
  readonly limits: Limits | false;
  /** What the rules of the school say of programs; empty for nothing. @default '' */
  readonly programs?: string;
  readonly memberApi: MemberApiDescription | undefined;
  readonly mcp: McpDescription | undefined;
  /** Each has its own metadata; the first is the origin. */
  readonly resources: readonly ProtectedResource[];
}

/** What is the same at every site, and at any time. */
export type CommonDescription = Omit<ServiceDescription, 'signs' | 'lifetimes' | 'limits' | 'programs'>;

export function describeService(
  settings: Pick<Settings, 'registration' | 'metadataDocuments' | 'catalogue'>,
  plugins: Pick<ServiceDescription, 'memberApi' | 'mcp' | 'resources' | 'offered'>,
): CommonDescription {
  const { registration, metadataDocuments: documents, catalogue } = settings;
  const { rows: scopes } = catalogue;
  return { registration, documents, scopes, ...plugins };
}

/** The error codes that a service with this configuration can return. */
export function possibleErrors<E extends ErrorCode>(
  codes: readonly E[],
  { registration, documents, offered, limits, mcp }: ServiceDescription,
): readonly E[] {
  const registers = registration.length > 0;
  return wordedFor(offered, codes).filter((code) => {
    const { error, status } = code;
    if (code.feature !== undefined) return isOffered(code, offered);
    if (error === 'invalid_redirect_uri') return registers;
    if (error === 'invalid_client_metadata') return registers || documents !== undefined;
    if (error === 'slow_down') return limits !== false;
    // Only the tool endpoint checks the origin of a script.
    return mcp !== undefined || error !== 'access_denied' || status !== 403;
  });
}
