import { finder } from '../../kernel/finding.ts';
import type { Feature } from '../feature.ts';
import { logoutDescription } from './describe.ts';
import { sidOf } from './domain/logout-token.ts';
import { logoutExamples } from './examples.ts';
import { logoutFindings } from './facts.ts';
import { logoutOf } from './options.ts';
import { logoutRoutes } from './routes.ts';

const found = finder(logoutFindings);

/** Logout for applications. OpenID Connect RP-Initiated Logout 1.0; OpenID Connect Back-Channel Logout 1.0. */
export const logout: Feature = {
  key: { option: 'logout' },
  engine: () => ({
    configuration: {},
    // The ID token has it from the code: the browser of the person does not come to the token endpoint.
    codeMembers: async (request, clientId) => {
      const [client, session] = await Promise.all([request.client(clientId), request.signedIn()]);
      const isTold = client && logoutOf(client).backchannelLogoutUri !== undefined;
      const { sessionId } = session ?? {};
      return isTold && sessionId !== undefined ? { sid: sidOf(request.site.id, clientId, sessionId) } : {};
    },
  }),
  routes: logoutRoutes,
  described: logoutDescription,
  examples: logoutExamples,
  findings: async ({ signOuts }) =>
    signOuts
      .undelivered()
      .map(({ siteId, clientId, address, reason }) =>
        found(
          'logout-undelivered',
          `${clientId} at ${siteId} was not told of a sign-out: ${address} ${reason}, three times`,
        ),
      ),
};
