import { allErrors } from '../../lib/describe/possible-errors.ts';
import { features } from '../../lib/features/features.ts';
import type { ErrorCode } from '../../lib/describe/error-codes.ts';
import { code, type ReferenceEntry, type ReferencePage } from './page.ts';

/** The errors that a client gets, from the table that the `/auth.md` of a school shows. */
export function errorsPage(): ReferencePage {
  const rows = allErrors({ features: features.flatMap(({ described }) => described ?? []) });
  const entries = [...Map.groupBy(rows, ({ error }) => error)].map(([error, cases]): ReferenceEntry => ({
    heading: code(error),
    text: cases.map(caseText).join('\n'),
  }));
  return {
    file: 'docs/reference/errors.md',
    title: 'Errors that clients get',
    about,
    sections: [{ title: 'Errors', entries }],
  };
}

function caseText({ status, redirected = false, when, remedy }: ErrorCode): string {
  const sent = [...(status === undefined ? [] : [String(status)]), ...(redirected ? ['redirect'] : [])];
  return `- **${sent.join(', ')}**: ${when}. ${remedy}`;
}

const about = `Look up an error that an app reports. The body of a response has \`error\` and \`error_description\`, which says what to correct. **redirect** means
that the browser comes back to the \`redirect_uri\` with \`error\`.

The \`/auth.md\` of each school shows the same table to client developers. To find out why one app fails, [debug a client](../guides/debug-a-client.md).`;
