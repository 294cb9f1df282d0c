// The README as the package has it: `docs` is not packed, so links to it are the paths in the repository. `npm pack` writes it before it
// packs, and restores the README of the repository afterwards.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the package has beside `dist`. */
const packed = ['SECURITY.md', 'LICENSE'];

/** @param {string} readme */
export function packedReadme(readme) {
  return readme
    .replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\(((?!https:)[^)#]+)(#[^)]*)?\)/g, (link, text, path) =>
      packed.includes(path) ? link : `${text} (\`${path}\`)`,
    )
    .replace(
      '## Documentation\n',
      '## Documentation\n\nThese pages are in the repository; the types of the package have TSDoc.\n',
    );
}

const readme = join(import.meta.dirname, '../README.md');
const original = join(import.meta.dirname, '../node_modules/.cache/campus-oidc-readme.md');

const [, , command] = process.argv;
if (command === 'restore' && existsSync(original)) renameSync(original, readme);
if (command === 'write' && !existsSync(original)) {
  const text = readFileSync(readme, 'utf8');
  writeFileSync(original, text);
  writeFileSync(readme, packedReadme(text));
}
