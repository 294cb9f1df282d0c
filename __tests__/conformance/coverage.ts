import { headings, type Row } from './row.ts';
import { rows } from './rows/index.ts';

/** The path of the file that `coverage` writes, relative to the root of the repository. */
export const coverageFile = '__tests__/SPECIFICATION.md';

/** The content of the file, in Markdown. */
export function coverage(): string {
  const lines = rows.toSorted(inOrder).map(({ id, section, sentence }) => `| ${id} | ${section} | ${sentence} |`);
  return `# Coverage of the specification

Every normative sentence of the specification, paraphrased. \`__tests__/conformance\` checks all ${rows.length} on running
schools. Sentences that only say what is "not shown" are omitted. An id never changes.

\`npm run spec-coverage\` writes this file; a test checks that it is up to date.

<!-- prettier-ignore -->
| id | section | sentence |
| --- | --- | --- |
${lines.join('\n')}
`;
}

/** In the order of the specification's headings; within a heading by section. */
function inOrder(a: Row, b: Row): number {
  return headingOf(a) - headingOf(b) || a.section.localeCompare(b.section, 'en', { numeric: true });
}

/** The index of the row's heading in `headings`; -1 if there is none. */
export function headingOf({ section }: Row): number {
  return headings.findIndex(
    (heading) => section.startsWith(heading) && /^(,| \d|$)/.test(section.slice(heading.length)),
  );
}
