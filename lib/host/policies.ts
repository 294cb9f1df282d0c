import * as z from 'zod';
import type { ConsentPolicy } from '../contracts/hooks.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { PlatformRules, ProgramRequest, ProgramRule } from '../contracts/program.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import type { AuthenticationMethod } from '../protocol/client-authentication.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { Offered } from '../protocol/offered.ts';
import { group, type Members, text as someText, whole } from '../protocol/option-schemas.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import type { OnFault } from '../runtime/events.ts';
import { faultWrapper, isThenable, reportFault } from './faults.ts';
import { checkReturn } from './returned.ts';

const scopes = z.array(z.string(), 'be an array of scopes');
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

const metadata = z.object({
  client_name: text,
  application_type: z.enum(['native', 'web']),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  grant_types: z.array(z.enum(['authorization_code', 'refresh_token'])),
  response_types: z.array(z.literal('code')),
  client_uri: text,
  logo_uri: text,
  tos_uri: text,
  policy_uri: text,
  scope: z.string(),
});

const program = z.object({ id: z.string(), name: z.string(), publisher: text, homePage: text });

const registrationVerdict = verdictOf('"known" or "admit"; throw an OAuthError to refuse', [
  z.object({ decision: z.literal('known'), clientId: z.string() }),
  z.object({
    decision: z.literal('admit'),
    metadata,
    ttl: whole('whole number of seconds', 1, 1e9).nullish(),
    program: program.extend({ verified: z.boolean() }).nullish(),
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
const nothing = z.custom((value) => value === undefined || value === null, 'be nothing; throw an OAuthError to refuse');
const copy = z.object({ date: z.iso.date(), document: z.looseObject({}) }).nullish();
const known = z.object({ program: program.nullish(), copy }, 'be { program, copy } or nothing').nullish();
const checkedDocument = z.object(
  {
    metadata: metadata.extend({
      client_id: z.string(),
      token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']),
      jwks: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).nullish(),
      jwks_uri: text,
    }),
    digest: z.string(),
  },
  'be { metadata, digest }; throw an OAuthError to refuse',
);

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
}

interface WrappedPolicies extends Omit<HostPolicies, 'programs'> {
  readonly platformRule: ((request: ProgramRequest) => Promise<ProgramRule | undefined>) | undefined;
}

/** The policies of the host: what they return is checked, and their failures are reported as faults. */
export function wrapPolicies(
  given: HostPolicies,
  onFault: OnFault,
  catalogue: ScopeCatalogue,
  { authentication }: Pick<Offered, 'authentication'>,
): WrappedPolicies {
  const methods = authentication.map(({ name }) => name);
  const { programs } = given;
  const rule = programRule(catalogue.has).nullish();
  return {
    platformRule:
      programs &&
      faultWrapper(onFault)('programs', async (request: ProgramRequest) => {
        return checkReturn('programs', rule, await programs(request)) ?? undefined;
      }),
    consent: wrapConsentPolicies(given.consent, onFault, catalogue),
    registration: wrapRegistrationPolicies(given.registration, onFault),
    metadataDocuments: given.metadataDocuments && wrapDocumentPolicy(given.metadataDocuments, onFault, methods),
  };
}

/** What the messages call a policy: by its place, and by its name if it has one. */
function named(place: string, name: string): string {
  return name === '' ? place : `${place} (${name})`;
}

function wrapConsentPolicies(
  policies: readonly ConsentPolicy[],
  onFault: OnFault,
  catalogue: ScopeCatalogue,
): ConsentPolicy[] {
  const [wrap, schema] = [faultWrapper(onFault), consentVerdict(catalogue)];
  return policies.map((policy, i) => {
    const name = named(`consent[${i}]`, policy.name);
    return wrap(`consent[${i}]`, async (request) => checkReturn(name, schema, await policy(request)) ?? undefined);
  });
}

type Wrap = <A extends unknown[], R>(what: string, call: (...args: A) => R, schema: z.ZodType) => (...args: A) => R;

/** Wraps functions of the host that respond at once. An `OAuthError` that they throw is their refusal, everything else a fault. */
function syncWrapper(onFault: OnFault): Wrap {
  return (what, call, schema) =>
    (...args) => {
      try {
        const returned = call(...args);
        // A promise is refused, and nobody waits for it.
        if (isThenable(returned)) Promise.resolve(returned).catch(() => undefined);
        return checkReturn(what, schema, returned);
      } catch (error) {
        throw error instanceof OAuthError ? error : reportFault(onFault, what, error);
      }
    };
}

/** `reviewed`, which `allowedScopes` calls, may ask a database of the host. */
function wrapDocumentPolicy(
  policy: MetadataDocumentPolicy,
  onFault: OnFault,
  methods: readonly AuthenticationMethod[],
): MetadataDocumentPolicy {
  const [wrap, wrapSync, name] = [faultWrapper(onFault), syncWrapper(onFault), 'metadataDocuments'];
  return {
    checkClientId: wrapSync(`${name}.checkClientId`, policy.checkClientId.bind(policy), nothing),
    ...(policy.known && { known: wrapSync(`${name}.known`, policy.known.bind(policy), known) }),
    checkDocument: wrapSync(
      `${name}.checkDocument`,
      (clientId: string, document: JsonObject) => policy.checkDocument(clientId, document, methods),
      checkedDocument,
    ),
    allowedScopes: wrap(`${name}.allowedScopes`, async (...call: Parameters<MetadataDocumentPolicy['allowedScopes']>) =>
      checkReturn(`${name}.allowedScopes`, scopes, await policy.allowedScopes(...call)),
    ),
  };
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
