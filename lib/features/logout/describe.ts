import type { Site } from '../../host/school-platform.ts';
import { heading, type Part, table } from '../../describe/guide-parts.ts';
import { form } from '../../describe/openapi/example-values.ts';
import { errorContent } from '../../describe/openapi/errors.ts';
import type { Operation, ResponseVariant } from '../../describe/operation.ts';
import { formSchema, limitedBody, reference } from '../../describe/schema-parts.ts';
import type { DescribedFeature } from '../../describe/service-description.ts';
import { describedParameters } from './parameters.ts';
import { logoutPaths } from './paths.ts';

export const logoutDescription: DescribedFeature = {
  metadata: (origin) => ({
    end_session_endpoint: `${origin}${logoutPaths.endSession}`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }),
  operations: () => ({ [logoutPaths.endSession]: { GET: getOperation, POST: postOperation } }),
  schemas: () => ({ LogoutForm: formSchema(describedParameters) }),
  guide,
};

const refused: ResponseVariant = {
  status: 400,
  text: 'A parameter is invalid, there is no such application, or the address is not registered for it: `invalid_request`, `invalid_client` or `invalid_redirect_uri`.',
  content: errorContent('page'),
};

const getOperation: Operation = {
  tag: 'OAuth',
  id: 'endSession',
  summary: 'Sign a person out of the school',
  text: 'Open this address in the person’s browser. They are asked whether they also want to sign out of the school, and then sent to `post_logout_redirect_uri`, whatever they answer. OpenID Connect RP-Initiated Logout 1.0.',
  parameters: describedParameters,
  responses: [
    {
      status: 200,
      text: 'The question, or what the person reads afterwards.',
      content: { 'text/html': { type: 'string' } },
    },
    {
      status: 303,
      text: 'Nobody is signed in: a redirect to `post_logout_redirect_uri`.',
      header: 'Location',
    },
    refused,
  ],
};

const postOperation: Operation = {
  tag: 'OAuth',
  id: 'endSessionByPost',
  summary: 'Sign a person out of the school, with a form',
  text: 'The same as `GET`, for a form in the person’s browser. The browser goes on by `GET`, without `id_token_hint`.',
  body: limitedBody(reference('LogoutForm'), form),
  responses: [{ status: 303, text: 'A redirect to the same address.', header: 'Location' }, refused],
  errors: [['invalid_request', 413]],
};

function guide({ origin }: Site): Part[] {
  const address = `${origin}${logoutPaths.endSession}`;
  return [
    heading(2, 'Sign out'),
    `To sign a person out of your application and of the school, end your own session, then send the browser to
${address} (\`end_session_endpoint\`) with these parameters. The person is asked whether they also want to sign out of the school:`,
    table(
      ['parameter', 'value'],
      describedParameters.map(({ name, text }) => [`\`${name}\``, text]),
    ),
    `An administrator of the school, or the platform, registers the addresses to which people may be sent. They can also register an address for
logout tokens (\`backchannel_logout_uri\`): then your ID tokens have \`sid\`, and the school posts a \`logout_token\` there when the person signs
out, disconnects your application, loses their role or is erased. Verify it like an ID token, with \`typ\` \`logout+jwt\`, the event
\`http://schemas.openid.net/event/backchannel-logout\` and no \`nonce\`; end the session \`sid\`, or without \`sid\` all sessions of \`sub\`; answer with
200 within 5 seconds. There are three tries. A connection and its tokens stay when a person signs out, and have ended in the other cases.`,
  ];
}
