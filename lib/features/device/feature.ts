import type { Feature } from '../feature.ts';
import { deviceDescription } from './describe.ts';
import { deviceExamples } from './examples.ts';
import { deviceEngine } from './engine-part.ts';
import { deviceGrant } from './facts.ts';
import { userCodeLimiter } from './user-code-limiter.ts';
import { createDevicePages, deviceRoutes } from './routes.ts';

/** Sign-in on another device: the device authorization grant. RFC 8628. */
export const device: Feature = {
  key: { grant: deviceGrant },
  engine: ({ host, records, limits, pages, audit }) =>
    deviceEngine({
      store: records.store,
      onAudit: audit.onAudit,
      limitAuthorizations: limits.limitAuthorizations,
      limitUserCodes: userCodeLimiter(limits),
      pages: createDevicePages({ pages, host }),
    }),
  routes: deviceRoutes,
  described: deviceDescription,
  examples: deviceExamples,
};
