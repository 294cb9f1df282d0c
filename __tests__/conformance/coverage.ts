import { headings, type Row } from './row.ts';
import { rows } from './rows/index.ts';

/** The file that `coverage` belongs to, from the root of the repository. */
export const coverageFile = 'docs/spec-coverage.md';

/** What of the specification is checked, as Markdown. */
export function coverage(): string {
  const lines = rows.toSorted(inOrder).map(({ id, section, sentence }) => `| ${id} | ${section} | ${sentence} |`);
  return `# Coverage of the specification

Every normative sentence of the specification, in our words: \`__tests__/conformance\` checks all ${rows.length} on running
schools. Sentences that only say what is "not shown" are left out. An id never changes.

Written by \`npm run spec-coverage\`; a test checks that it is up to date.

<!-- prettier-ignore -->
| id | section | sentence |
| --- | --- | --- |
${lines.join('\n')}
`;
}

/** The specification's order; within a heading by place. */
function inOrder(a: Row, b: Row): number {
  return headingOf(a) - headingOf(b) || a.section.localeCompare(b.section, 'en', { numeric: true });
}

/** Which heading a sentence stands under; -1 for none. */
export function headingOf({ section }: Row): number {
  return headings.findIndex(
    (heading) => section.startsWith(heading) && /^(,| \d|$)/.test(section.slice(heading.length)),
  );
}
