import { currentRequest } from '../../engine/engine-request.ts';
import type { Feature } from '../feature.ts';
import { servicesDescription } from './describe.ts';
import { servicesGrantType } from './grant.ts';

/** Clients that act for a school: the client credentials grant. RFC 6749 section 4.4. */
export const services: Feature = {
  grantType: servicesGrantType,
  engine: ({ core: { audit } }) => ({
    configuration: { features: { clientCredentials: { enabled: true } } },
    prepare: (provider) =>
      provider.on('client_credentials.destroyed', ({ clientId }) => {
        const actor = { kind: 'client', id: clientId } as const;
        const request = currentRequest();
        const app = request.appOf(clientId);
        audit.onAudit({ action: 'token.revoked', siteId: request.site.id, actor, clientId, app });
      }),
  }),
  described: servicesDescription,
};
