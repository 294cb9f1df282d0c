import * as z from 'zod';
import type { ConsentPolicy } from '../core/grants/consent-policy.ts';
import {
  type PlatformRules,
  type ProgramRequest,
  type ProgramRule,
  programRule,
} from '../core/clients/program-rule.ts';
import type { RegistrationPolicy } from '../registration/registration-policy.ts';
import type { MetadataDocumentPolicy } from '../metadata-documents/document-policy.ts';
import type { OptionalAuthentication } from '../core/offered/client-authentication.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { OnFault } from '../observe/events.ts';
import { wrapDocumentPolicy } from '../metadata-documents/wrapped-policy.ts';
import { verdictOf, named } from '../host/wrapped-calls.ts';
import { faultWrapper } from '../observe/faults.ts';
import { checkReturn } from '../host/returned.ts';
import { wrapRegistrationPolicies } from '../registration/wrapped-policies.ts';

const text = z.string().nullish();

/** A misspelt scope or member would narrow to something else than the policy means. */
function consentVerdict({ has }: Pick<ScopeCatalogue, 'has'>): z.ZodType {
  const known = z.array(z.string().refine(has, 'be a scope, as campus.scopes lists them'), 'be an array of scopes');
  return verdictOf('"allow", "narrow" or "deny"', [
    z.strictObject({ decision: z.literal('allow') }),
    z.strictObject({ decision: z.literal('narrow'), scopes: known, text }),
    z.strictObject({ decision: z.literal('deny'), text }),
  ]);
}

interface HostPolicies {
  readonly programs?: PlatformRules | undefined;
  readonly consent: readonly ConsentPolicy[];
  readonly registration: readonly RegistrationPolicy[];
  readonly metadataDocuments?: MetadataDocumentPolicy | undefined;
  readonly clientAuthentication?: readonly OptionalAuthentication[] | undefined;
}

interface WrappedPolicies extends Omit<HostPolicies, 'programs' | 'clientAuthentication'> {
  readonly platformRule: ((request: ProgramRequest) => Promise<ProgramRule | undefined>) | undefined;
}

/** The policies of the host: what they return is checked, and their failures are reported as faults. */
export function wrapPolicies(given: HostPolicies, onFault: OnFault, catalogue: ScopeCatalogue): WrappedPolicies {
  const { programs, metadataDocuments: documents, clientAuthentication = [] } = given;
  const wrap = faultWrapper(onFault);
  const [rule, verdict] = [programRule(catalogue.has).nullish(), consentVerdict(catalogue)];
  return {
    platformRule:
      programs &&
      wrap('programs', async (request: ProgramRequest) => {
        return checkReturn('programs', rule, await programs(request)) ?? undefined;
      }),
    consent: given.consent.map((policy, i) => {
      const name = named(`consent[${i}]`, policy.name);
      return wrap(`consent[${i}]`, async (request) => checkReturn(name, verdict, await policy(request)) ?? undefined);
    }),
    registration: wrapRegistrationPolicies(given.registration, onFault),
    metadataDocuments: documents && wrapDocumentPolicy(documents, onFault, ['none', ...clientAuthentication]),
  };
}
