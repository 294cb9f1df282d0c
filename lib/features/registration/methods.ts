import * as z from 'zod';
import type { Site } from '../../host/school-platform.ts';
import { siteArgument } from '../../host/site-argument.ts';
import type { CheckMethod } from '../method-checks.ts';
import type { RegistrationMethods } from './method-types.ts';
import type { Parts } from '../parts.ts';
import { explainRegistration } from './route.ts';

export function registrationMethods(parts: Parts, check: CheckMethod): RegistrationMethods {
  const args = { site: siteArgument, body: z.unknown() };
  return {
    explainRegistration: check('explainRegistration', args, (site: Site, body: unknown) =>
      explainRegistration(parts, site, body),
    ),
  };
}
