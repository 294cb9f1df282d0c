import { authorizationRefusals } from '../../lib/observe/authorization-refusals.ts';
import { auditOutcomes } from '../../lib/observe/audit-event.ts';
import { commentsOf } from './comment-text.ts';
import { code, type ReferencePage } from './page.ts';
import { declarationNamed, type PublicApi } from './public-api.ts';
import { rowComments } from './row-comments.ts';

/** The audit events: what each member and each action means. */
export function eventsPage(api: PublicApi): ReferencePage {
  const whenOf = rowComments('lib/observe/{audit-event,authorization-refusals}.ts');
  const members = declarationNamed(api, 'AuditEvent').children ?? [];
  return {
    file: 'docs/reference/events.md',
    title: 'Audit events',
    about,
    sections: [
      {
        title: 'Actions',
        about: aboutActions,
        entries: Object.entries(auditOutcomes).map(([name, outcome]) => ({
          heading: code(name),
          facts: [outcome],
          text: whenOf(name),
        })),
      },
      {
        title: 'Members',
        about: aboutMembers,
        entries: members.map((member) => ({
          heading: code(member.name),
          facts: member.flags.isOptional ? ['optional'] : [],
          text: commentsOf(member)[0]?.summary ?? '',
        })),
      },
      {
        title: 'Reasons of refused authorization requests',
        about: aboutRefusals,
        entries: authorizationRefusals.map((name) => ({ heading: code(name), text: whenOf(name) })),
      },
    ],
  };
}

/** A sign-in and a refresh, as `auditLog` writes them. A test compares them with what is written. */
const example = String.raw`{"version":1,"time":"2026-11-22T08:15:30.000Z","eventId":"0d2c2c5e-6f0e-4c3f-9a51-7d2b8e4f1a00","siteId":"harbour","action":"consent.given","outcome":"allowed","actor":{"kind":"member","id":"sam"},"clientId":"member-app","memberId":"sam","connectionId":"ik_8TmT3gYGXgA_9Z0Nd_e","scopes":{"before":[],"after":["openid","account:read"]},"first":true,"address":"203.0.113.7","requestId":"req-1"}
{"version":1,"time":"2026-11-22T08:15:31.000Z","eventId":"0d2c2c5e-6f0e-4c3f-9a51-7d2b8e4f1a01","siteId":"harbour","action":"authorization.granted","outcome":"allowed","actor":{"kind":"member","id":"sam"},"clientId":"member-app","memberId":"sam","connectionId":"ik_8TmT3gYGXgA_9Z0Nd_e","familyId":"kX2vB9sQ0aE","address":"203.0.113.7","requestId":"req-2"}
{"version":1,"time":"2026-11-22T08:15:32.000Z","eventId":"0d2c2c5e-6f0e-4c3f-9a51-7d2b8e4f1a02","siteId":"harbour","action":"token.issued","outcome":"allowed","actor":{"kind":"client","id":"member-app"},"clientId":"member-app","memberId":"sam","connectionId":"ik_8TmT3gYGXgA_9Z0Nd_e","familyId":"kX2vB9sQ0aE","address":"203.0.113.7","requestId":"req-3"}
{"version":1,"time":"2026-11-22T08:15:33.000Z","eventId":"0d2c2c5e-6f0e-4c3f-9a51-7d2b8e4f1a03","siteId":"harbour","action":"token.refreshed","outcome":"allowed","actor":{"kind":"client","id":"member-app"},"clientId":"member-app","memberId":"sam","connectionId":"ik_8TmT3gYGXgA_9Z0Nd_e","familyId":"kX2vB9sQ0aE","address":"203.0.113.7","requestId":"req-4"}`;

const about = `Look up an event of \`campus.events.on('audit', …)\`. An event never contains a token, code, secret or cookie, or the arguments of a tool. A sign-in
and a refresh, as lines of JSON:

\`\`\`jsonl
${example}
\`\`\``;

const aboutActions = `Each action shows its outcome, \`allowed\` or \`refused\`. Its text names exceptions.

**Sampled** actions have up to 60 events a minute for each school and process, because anyone can cause them without end. The next event counts the
dropped ones in \`omitted\`. Each person has a separate 60, so strangers cannot hide a person's events.

The school of a metadata document's event is the one whose request or administrator caused it. Each school that has approved the document
gets an event when it changes.`;

const aboutMembers = `Later releases only add members and actions within \`version\` 1.

\`address\`, \`requestId\` and \`traceId\` belong to the request that campus-oidc handles. An event that your own code causes, for example
by \`campus.apps.set\`, does not have them. Its actor is the administrator in \`by\`, the member of the connection or, for a token, anonymous.`;

const aboutRefusals = `The \`reason\` of \`authorization.refused\`: on an error page, on the consent page, on the page for user codes, or in the response to the app. A fault (5xx)
is not a refusal. You get a \`fault\` event for it.`;
