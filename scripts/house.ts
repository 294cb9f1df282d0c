import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { narrowedTypes } from '../__tests__/structure/narrowed-types.ts';
import { importsOf, type Source, sourcesOf } from '../__tests__/structure/sources.ts';
import { functionsOf } from '../__tests__/structure/sources-functions.ts';
import { startWalks, walkNames } from '../__tests__/structure/walks.ts';
import { documentFigures, wordsOf } from './document-figures.ts';
import { optionSections } from './reference/options.ts';
import { readPublicApi } from './reference/public-api.ts';
import { printHelp } from './help.mjs';

printHelp(`usage: npm run house [-- --keep]

Builds, and prints figures of size beside those of the previous release.
  --keep  the figures become those of this version, for a release`);

const root = join(import.meta.dirname, '..');
const kept = join(import.meta.dirname, 'house.json');

/** Figures by name or place, in the order in which they are printed. */
type Figures = Readonly<Record<string, number>>;

interface Size {
  readonly lines: number;
  readonly files: number;
}

interface House {
  readonly version: string;
  readonly figures: Figures;
  readonly folders: Readonly<Record<string, Size>>;
  readonly longestFiles: Figures;
  readonly longestFunctions: Figures;
  readonly longestPages?: Figures;
}

const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = sourcesOf('lib', 'adapters', 'policies');

const now: House = {
  version: manifest.version,
  figures: { ...(await surface()), ...(await walked()), ...documents() },
  folders: sizes(),
  longestFiles: longest(sources.map((source) => [source.path, linesOf(source)])),
  longestFunctions: longest(
    sources.flatMap((source) =>
      functionsOf(source).map(({ line, lines }) => [`${source.path}:${line}`, lines] as const),
    ),
  ),
  longestPages: longest(writtenPages().map(([path, text]) => [path, wordsOf(text)])),
};

if (process.argv.includes('--keep')) {
  writeFileSync(kept, `${JSON.stringify(now, null, 2)}\n`);
} else {
  const before: House = JSON.parse(readFileSync(kept, 'utf8'));
  console.log(row('', [before.version, 'now']));
  console.log(table(before.figures, now.figures, String));
  console.log(`\n${row('lines and files', [before.version, 'now'])}`);
  console.log(table(before.folders, now.folders, ({ lines, files }) => `${lines} ${String(files).padStart(4)}`));
  console.log(`\nlongest files, in lines\n${ranking(now.longestFiles)}`);
  console.log(`\nlongest files of ${before.version}\n${ranking(before.longestFiles)}`);
  console.log(`\nlongest pages, in words\n${ranking(now.longestPages ?? {})}`);
  console.log(`\nlongest functions, in lines\n${ranking(now.longestFunctions)}`);
  console.log(`\nlongest functions of ${before.version}\n${ranking(before.longestFunctions)}`);
}

function linesOf({ text }: Source): number {
  return text.split('\n').length - 1;
}

/** The size of all, and of each folder. */
function sizes(): Record<string, Size> {
  const folderOf = ({ path }: Source): string => {
    const [top = '', next = ''] = path.split('/');
    if (top === 'policies') return top;
    return next.endsWith('.ts') ? `${top}/*.ts` : `${top}/${next}`;
  };
  const sizeOf = (files: readonly Source[]): Size => ({
    lines: files.reduce((sum, file) => sum + linesOf(file), 0),
    files: files.length,
  });
  const folders = [...Map.groupBy(sources, folderOf)].map(([folder, files]) => [folder, sizeOf(files)] as const);
  return { all: sizeOf(sources), ...Object.fromEntries(folders) };
}

/** What users of the package can see, and how parts are handed on. */
async function surface(): Promise<Figures> {
  const api = await readPublicApi();
  const { picks, standIns } = narrowedTypes(sources);
  const campus = sources.filter(({ path }) => path === 'lib/campus.ts');
  return {
    options: optionSections(api).flatMap((section) => section.options).length,
    'exports of the entry points': api.entryPoints.flatMap((entry) => entry.exports).length,
    'Pick and Omit': picks,
    'what stands for Pick and Omit': standIns,
    'imports of lib/campus.ts': campus.flatMap(importsOf).length,
  };
}

/** How many files of ours run for a request. */
async function walked(): Promise<Figures> {
  const walks = await startWalks(import.meta.filename);
  try {
    const files = await walks.all();
    return Object.fromEntries(walkNames.map((name) => [`files that run: ${name}`, files[name].length]));
  } finally {
    await walks.close();
  }
}

/** The pages that somebody has written, by their paths. */
function writtenPages(): readonly (readonly [path: string, text: string])[] {
  const paths = globSync('docs/**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => !path.startsWith('docs/reference/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

/** What the rules of writing measure. Generated pages are left out. */
function documents(): Figures {
  const figures = Object.entries(documentFigures(writtenPages().map(([, text]) => text)));
  return {
    ...Object.fromEntries(figures.map(([name, figure]) => [`docs: ${name}`, figure])),
    'README.md: words': wordsOf(readFileSync(join(root, 'README.md'), 'utf8')),
  };
}

function longest(places: readonly (readonly [place: string, lines: number])[]): Figures {
  return Object.fromEntries(places.toSorted(([, a], [, b]) => b - a).slice(0, 10));
}

/** Both columns; what one of them does not have is a dash. */
function table<T>(
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  cellOf: (value: T) => string,
): string {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const cells = (name: string): string[] =>
    [before[name], after[name]].map((value) => (value === undefined ? '–' : cellOf(value)));
  return [...names].map((name) => row(name, cells(name))).join('\n');
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(44) + cells.map((cell) => cell.padStart(13)).join('');
}

function ranking(places: Figures): string {
  return Object.entries(places)
    .map(([place, lines]) => `${String(lines).padStart(6)}  ${place}`)
    .join('\n');
}
