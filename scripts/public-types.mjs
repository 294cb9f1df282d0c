// Completes the declarations in dist: those of JSON files are written, and those that no entry point of the package leads to removed.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();

/**
 * Replaces imports of JSON, for which a host's compiler would need import attributes and options of its own. What is declared of a
 * file is the names of its texts.
 *
 * @param {string} file
 */
function withoutJson(file) {
  const declarations = readFileSync(file, 'utf8');
  const replaced = declarations.replaceAll(/import (\w+) from '(\.[^']+)\.json'[^;]*;/g, (_, name, path) => {
    const source = posix.join(posix.dirname(file.replace(/^dist\//, '')), path);
    const names = Object.keys(JSON.parse(readFileSync(`${source}.json`, 'utf8')));
    const members = names.map((key) => `    ${JSON.stringify(key)}: string;\n`).join('');
    writeFileSync(`dist/${source}-json.d.ts`, `declare const texts: {\n${members}};\nexport default texts;\n`);
    return `import type ${name} from '${path}-json.js';`;
  });
  if (replaced !== declarations) writeFileSync(file, replaced);
  return replaced;
}

/** @param {string} path */
function toPosix(path) {
  return path.replaceAll('\\', '/');
}

/** @param {string} file @param {string} specifier */
function declarationAt(file, specifier) {
  return posix.join(posix.dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts'));
}

/** @param {string} file */
function visit(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, specifier] of withoutJson(file).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)) {
    visit(declarationAt(file, specifier));
  }
}

// What features add to an interface with `declare module` comes with the interface: no import of a host leads there.
const added = new Map();
for (const file of globSync('dist/lib/features/**/*.d.ts').map(toPosix).sort()) {
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/^declare module '(\.[^']+)'/gm)) {
    const extended = declarationAt(file, specifier);
    added.set(extended, [...(added.get(extended) ?? []), file]);
  }
}
for (const [extended, files] of added) {
  const paths = files.map((file) => posix.relative(posix.dirname(extended), file).replace(/\.d\.ts$/, '.js'));
  const imports = paths.map((path) => `import './${path}';\n`);
  writeFileSync(extended, `${imports.join('')}${readFileSync(extended, 'utf8')}`);
}

for (const { types } of Object.values(exports)) if (types) visit(posix.normalize(types));
for (const file of globSync('dist/**/*.d.ts')) {
  if (!reached.has(toPosix(file))) rmSync(file);
}
