import * as z from 'zod';
import type { ClientPolicy } from '../../../core/clients/client.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import { func, instance, list, type Read, text } from '../../../kernel/option-schemas.ts';
import type { RegistrationPolicy } from './registration-policy.ts';

/** The option of `createCampus` that switches registration on. */
export interface RegistrationOption<School extends Site = Site> {
  /**
   * The registration policies, called in order. The first answer decides. Without a policy, the registration endpoint does not exist.
   * @default []
   */
  readonly registration?: readonly RegistrationPolicy<School>[] | undefined;
}

const policies: z.ZodType<readonly RegistrationPolicy[]> = list(
  instance<RegistrationPolicy>(
    {
      name: text(),
      decide: func(),
      refusal: func().optional(),
      checkScopes: func().optional(),
      clients: z.array(z.unknown()).optional(),
      apps: z.array(z.string(), 'be an array of ids').optional(),
    },
    'be a policy, for example loopbackClients()',
  ).meta({ type: '`RegistrationPolicy`' }),
  'be an array of policies',
);

/** @internal */
export const registrationOption = {
  registration: policies.prefault([]),
};

/** @internal */
export type RegistrationSettings = Read<typeof registrationOption>;

/** Its policies, of which some know clients in advance. @internal */
export function policiesOf({ registration }: RegistrationSettings): readonly ClientPolicy[] {
  return registration.map((policy, i) => ({ path: `registration[${i}]`, policy }));
}

declare module '../../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends RegistrationOption<School> {}
  /** @internal */
  interface FeatureSettings extends RegistrationSettings {}
  /** @internal */
  interface FeaturePolicies {
    readonly registration: readonly RegistrationPolicy[];
  }
}
