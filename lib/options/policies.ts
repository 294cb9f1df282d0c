import * as z from 'zod';
import type { ConsentPolicy } from '../core/decisions/consent-policy.ts';
import { clientsByApp, type KnownClients, appIds, secretsOf } from '../core/clients/client-finder.ts';
import { added } from '../kernel/added.ts';
import { withAll } from '../kernel/merged.ts';
import { type RuleRequest, appRule } from '../core/decisions/app-rule.ts';
import type { RulePolicies } from '../core/decisions/app-rules.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import type { Faults } from '../observe/audit.ts';
import { appNamed } from '../core/known-apps/known-apps.ts';
import { verdictOf, named } from '../host/policy-verdicts.ts';
import { faultWrapper } from '../observe/faults-to-503.ts';
import { checkReturn } from '../host/check-returns.ts';
import type { FeaturePolicies, OptionFeature, Settings } from './options.ts';

const text = z.string().nullish();

/** A misspelt scope or member would narrow to something else than the policy means. */
function consentVerdict({ has }: ScopeCatalogue): z.ZodType {
  const known = z.array(z.string().refine(has, 'be a scope, as campus.scopes lists them'), 'be an array of scopes');
  return verdictOf('"allow", "narrow" or "deny"', [
    z.strictObject({ decision: z.literal('allow') }),
    z.strictObject({ decision: z.literal('narrow'), scopes: known, text }),
    z.strictObject({ decision: z.literal('deny'), text }),
  ]);
}

/** The policies of the host: what they return is checked, and their failures are reported as faults. */
export interface Policies extends FeaturePolicies, RulePolicies {
  readonly consent: readonly ConsentPolicy[];
  /** Whether a text is the secret of a client in code. */
  readonly isSecret: (text: string) => boolean;
}

export function createPolicies(settings: Settings, features: readonly OptionFeature[], { onFault }: Faults): Policies {
  const { appRules, consent, clients, catalogue } = settings;
  const wrap = faultWrapper(onFault);
  const rule = appRule(catalogue.has).nullish();
  const verdict = consentVerdict(catalogue);
  const ofFeatures = added<FeaturePolicies>(features.map(({ policies }) => policies?.(settings, onFault)));
  const known = withAll<KnownClients>(
    {},
    features.map(({ knownClients }) => knownClients?.(ofFeatures, catalogue)),
  );
  return {
    ...ofFeatures,
    isSecret: secretsOf(clients),
    appIdOf: appIds(known, clients),
    apps: new Set([
      ...clients.flatMap(({ app }) => appNamed(app)?.id ?? []),
      ...features.flatMap(({ apps }) => apps?.(ofFeatures) ?? []),
    ]),
    clientsInCode: clientsByApp(clients),
    reviewedInCode: async (clientId, digest) => (await known.reviewed?.(clientId, digest)) === true,
    platformRule:
      appRules &&
      wrap('appRules', async (request: RuleRequest) => {
        return checkReturn('appRules', rule, await appRules(request)) ?? undefined;
      }),
    consent: consent.map((policy, i) => {
      const name = named(`consent[${i}]`, policy.name);
      return wrap(`consent[${i}]`, async (request) => checkReturn(name, verdict, await policy(request)) ?? undefined);
    }),
  };
}
