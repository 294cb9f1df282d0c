import { hourlyLimitSchema } from '../../kernel/hourly-limit.ts';
import type { Feature } from '../feature.ts';
import { deviceDescription } from './describe.ts';
import { deviceExamples } from './examples.ts';
import { deviceEngine } from './engine-part.ts';
import { deviceGrantType } from './grant.ts';
import { createDevicePages, deviceRoutes } from './routes.ts';
import { deviceTexts } from './texts.ts';
import { userCodeLimiter } from './user-code-limiter.ts';

/** Sign-in on another device: the device authorization grant. RFC 8628. */
export const device: Feature = {
  grantType: deviceGrantType,
  limits: { userCodes: hourlyLimitSchema.prefault({ perAddress: 600, perSite: 3000 }) },
  texts: deviceTexts,
  engine: ({ settings, core: { host, records, limits, audit }, pages }) =>
    deviceEngine({
      store: records.store,
      onAudit: audit.onAudit,
      limitAuthorizations: limits.limitAuthorizations,
      limitUserCodes: userCodeLimiter(limits),
      pages: createDevicePages(pages, host.platform, settings.pages.yourApps),
    }),
  routes: ({ interaction }) => deviceRoutes(interaction),
  described: deviceDescription,
  examples: deviceExamples,
};
