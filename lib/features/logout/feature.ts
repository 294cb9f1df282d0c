import { finder } from '../../kernel/finding.ts';
import type { Feature } from '../feature.ts';
import { logoutDescription } from './describe.ts';
import { sidOf } from './domain/logout-token.ts';
import { logoutNotices } from './domain/notices.ts';
import { logoutOption } from './domain/option.ts';
import { logoutExamples } from './examples.ts';
import { signedOutUrisField, signOutsField } from './form.ts';
import { logoutMethods } from './methods.ts';
import { logoutOf, logoutProperties } from './options.ts';
import { logoutRoutes } from './routes.ts';
import { logoutTexts } from './texts.ts';

const findings = {
  /** An application did not accept the last logout token in three tries. The person may still be signed in there. */
  'logout-undelivered': [
    'warning',
    'make the address answer with 200 within 5 seconds, or correct it in the application. The person may still be signed in there',
  ],
} as const;

const found = finder(findings);

/** Logout for applications. OpenID Connect RP-Initiated Logout 1.0; OpenID Connect Back-Channel Logout 1.0. */
export const logout: Feature = {
  option: 'logout',
  options: logoutOption,
  signOuts: logoutNotices,
  fields: [signedOutUrisField, signOutsField],
  methods: (parts, { method }) => logoutMethods(parts, method),
  clientProperties: logoutProperties,
  texts: logoutTexts,
  findings,
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
  diagnose: async ({ signOuts }) =>
    signOuts
      .undelivered()
      .map(({ siteId, clientId, address, reason }) =>
        found('logout-undelivered', `${clientId} at ${siteId} was not told of a sign-out: ${address} ${reason}`),
      ),
};
