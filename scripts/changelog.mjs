// The changelog of a release. `npm version minor` runs `changelog.mjs release`: what was unreleased is the version of package.json from today
// on, in the changelog and for clients. `changelog.mjs notes 1.1.0` prints what a release says about itself.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printHelp } from './help.mjs';

const usage = `usage: node scripts/changelog.mjs release | notes VERSION

release  what is unreleased in CHANGELOG.md becomes that of the version of package.json
notes    prints what CHANGELOG.md says about a version`;

const root = join(import.meta.dirname, '..');
const read = (file) => readFileSync(join(root, file), 'utf8');
const write = (file, text) => writeFileSync(join(root, file), text);

/** The entries of a version. Throws where the changelog has none. */
export function notesOf(changelog, version) {
  const section = changelog.split(/^## /m).find((text) => text.split(/\s/, 1)[0] === version);
  const notes = section?.replace(/^.*\n/, '').trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has nothing about ${version}`);
  return notes;
}

/** The changelog with its unreleased entries under a version. Throws where there are none. */
export function released(changelog, version, day) {
  notesOf(changelog, 'Unreleased');
  return changelog.replace(/^## Unreleased$/m, `## ${version} (${day})`);
}

function release() {
  const { version } = JSON.parse(read('package.json'));
  const day = new Date().toISOString().slice(0, 10);
  write('CHANGELOG.md', released(read('CHANGELOG.md'), version, day));
  write('lib/kernel/version.ts', `export const version = '${version}';\n`);
}

if (process.argv[1] === import.meta.filename) {
  printHelp(usage);
  const [command, version = ''] = process.argv.slice(2);
  if (command === 'release') release();
  else if (command === 'notes') console.log(notesOf(read('CHANGELOG.md'), version));
  else {
    console.error(usage);
    process.exitCode = 2;
  }
}
