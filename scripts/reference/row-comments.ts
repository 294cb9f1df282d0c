import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Reads the comment before each row of the tables in these files: a member, an item, or a member `id`. */
export function rowComments(...patterns: readonly string[]): (name: string) => string {
  const found = new Map<string, string>();
  for (const file of globSync([...patterns], { cwd: root }).sort()) {
    const rows = readFileSync(join(root, file), 'utf8').matchAll(
      /\/\*\*((?:(?!\*\/)[^])*)\*\/\n +(?:id: '([\w.-]+)'|'([\w.-]+)'|(\w+):)/g,
    );
    for (const [, comment = '', ...names] of rows) {
      const name = names.find((each) => each !== undefined) ?? '';
      if (!found.has(name)) found.set(name, textOf(comment));
    }
  }
  return (name) => {
    const comment = found.get(name);
    if (comment === undefined) throw new Error(`${name} must have a comment before its row in ${patterns.join(', ')}`);
    return comment;
  };
}

/** As Markdown: without the stars at the start of lines, a paragraph or an item of a list in one line. */
function textOf(comment: string): string {
  return comment
    .replaceAll(/^ *\*? ?/gm, '')
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\n(?!- )/g, ' '))
    .join('\n\n');
}
