import * as z from 'zod';
import type { RegistrationExplanation } from '../../core/clients/registered-metadata.ts';
import type { Site } from '../../host/school-platform.ts';
import { siteArgument } from '../../host/site-argument.ts';
import type { CheckMethod } from '../feature-methods.ts';
import { type RegistrationParts, rulesFrom } from './decide.ts';
import { explainRegistration } from './route.ts';

/** What registration adds to `Campus`. */
export interface RegistrationMethods {
  /** What registration would respond, which policy decided, and why; changes nothing. */
  explainRegistration(site: Site, body: unknown): Promise<RegistrationExplanation>;
}

export function registrationMethods(parts: RegistrationParts, check: CheckMethod): RegistrationMethods {
  const args = { site: siteArgument, body: z.unknown() };
  return {
    explainRegistration: check('explainRegistration', args, (site: Site, body: unknown) =>
      explainRegistration(rulesFrom(parts), site, body),
    ),
  };
}
