// Removes from dist the declarations that no entry point of the package leads to: nobody can import them.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { posix } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();

/** @param {string} file */
function visit(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
    visit(posix.join(posix.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')));
  }
}

for (const { types } of Object.values(exports)) if (types) visit(posix.normalize(types));
for (const file of globSync('dist/**/*.d.ts')) {
  if (!reached.has(file.replaceAll('\\', '/'))) rmSync(file);
}
