import * as z from 'zod';
import type { ConsentPolicy } from '../contracts/hooks.ts';
import type { PlatformRules, ProgramRequest, ProgramRule } from '../contracts/program.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { OptionalAuthentication } from '../protocol/client-authentication.ts';
import { group, type Members, text as someText, whole } from '../protocol/option-schemas.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { OnFault } from '../runtime/events.ts';
import { clientMetadata, programSchema, syncWrapper, wrapDocumentPolicy } from './document-policy.ts';
import { faultWrapper } from './faults.ts';
import { checkReturn } from './returned.ts';

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

const registrationVerdict = verdictOf('"known" or "admit"; throw an OAuthError to refuse', [
  z.object({ decision: z.literal('known'), clientId: z.string() }),
  z.object({
    decision: z.literal('admit'),
    metadata: clientMetadata,
    ttl: whole('whole number of seconds', 1, 1e9).nullish(),
    program: programSchema.extend({ verified: z.boolean() }).nullish(),
  }),
]).nullish();

/** One of these verdicts, or none. */
function verdictOf(decisions: string, kinds: Parameters<typeof z.discriminatedUnion>[1]): z.ZodType {
  const error = ({ code }: { readonly code: string }): string =>
    code === 'invalid_union' ? `be ${decisions}` : `be undefined, or an object with the decision ${decisions}`;
  return z.discriminatedUnion('decision', kinds, { error }).optional();
}

const isRefusal = (value: unknown): boolean => value instanceof OAuthError;
const refusal = z.custom(isRefusal, 'be an OAuthError');
/** @param isScope - whether a scope exists */
export function programRule(isScope: (scope: string) => boolean = () => true): z.ZodType {
  const scope = z.string().refine(isScope, 'be a scope, as campus.scopes lists them');
  return group(
    {
      access: z.enum(['allowed', 'approval', 'blocked'], 'be "allowed", "approval" or "blocked"'),
      roles: z
        .array(someText(), 'be an array of roles')
        .min(1, 'have a role; block the program if nobody may connect it')
        .nullish(),
      scopes: z
        .array(scope, 'be an array of scopes')
        .min(1, 'have a scope; block the program if it may get none')
        .nullish(),
    } satisfies Members<ProgramRule>,
    'be { access, roles, scopes }',
  );
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

/** What the messages call a policy: by its place, and by its name if it has one. */
function named(place: string, name: string): string {
  return name === '' ? place : `${place} (${name})`;
}

/** An `OAuthError` that a registration policy throws is its refusal, everything else a fault. */
function wrapRegistrationPolicies(policies: readonly RegistrationPolicy[], onFault: OnFault): RegistrationPolicy[] {
  const [wrap, wrapSync] = [faultWrapper(onFault), syncWrapper(onFault)];
  return policies.map((policy, i) => {
    const place = `registration[${i}]`;
    const name = named(place, policy.name);
    const decide = wrap(place, async (request: Parameters<typeof policy.decide>[0]) => {
      try {
        return { verdict: checkReturn(name, registrationVerdict, await policy.decide(request)) ?? undefined };
      } catch (error) {
        if (error instanceof OAuthError) return { refusal: error };
        throw error;
      }
    });
    return {
      name: policy.name,
      clients: policy.clients,
      ...(policy.refusal && { refusal: wrapSync(`${name}.refusal`, policy.refusal.bind(policy), refusal) }),
      decide: async (request) => {
        const { verdict, refusal: thrown } = await decide(request);
        if (thrown) throw thrown;
        return verdict;
      },
    };
  });
}
