import { pending } from './pending.ts';
import { headings, type Sentence } from './row.ts';
import { rows } from './rows/index.ts';

interface Entry extends Sentence {
  readonly state: string;
}

/** The file that `coverage` belongs to, from the root of the repository. */
export const coverageFile = 'docs/spec-coverage.md';

/** What of the specification is checked and what is not built yet, as Markdown. */
export function coverage(): string {
  const entries: readonly Entry[] = [
    ...rows.map((row) => ({ ...row, state: 'checked' })),
    ...pending.map((row) => ({ ...row, state: `not built yet: ${row.area}` })),
  ].toSorted(inOrder);
  const lines = entries.map(({ id, section, sentence, state }) => `| ${id} | ${section} | ${sentence} | ${state} |`);
  return `# Coverage of the specification

Every normative sentence of the specification, in our words, and whether \`__tests__/conformance\` checks it on running schools.
Sentences that only say what is "not shown" are left out. An id never changes.

${rows.length} checked, ${pending.length} not built yet.

Written by \`npm run spec-coverage\`; a test checks that it is up to date.

<!-- prettier-ignore -->
| id | section | sentence | state |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}

/** The specification's order; within a heading by place, and what is checked before what is not built. */
function inOrder(a: Sentence, b: Sentence): number {
  return headingOf(a) - headingOf(b) || a.section.localeCompare(b.section, 'en', { numeric: true });
}

/** Which heading a sentence stands under; -1 for none. */
export function headingOf({ section }: Sentence): number {
  return headings.findIndex(
    (heading) => section.startsWith(heading) && /^(,| \d|$)/.test(section.slice(heading.length)),
  );
}
