import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readStep } from '../../bench/scale-steps/arguments.ts';
import { documents } from './documents.ts';

/**
 * A figure that was measured grows old. So each section of the documents that has one says what makes it again: the `npm run` of a
 * benchmark, a test file, or a link to the document that does and has the same figure.
 */
const root = join(import.meta.dirname, '../..');
const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Units of what is measured. Limits and lifetimes are in KiB, MiB, seconds and minutes. */
const figure = /(?<![\w.,])\d[\d.,]*\s(?:ns|µs|ms|bytes|kB|MB|GB|TB|%)(?![\w])/g;

/** Sections whose figures are no measurement: what they are in place of one. */
const given: Readonly<Record<string, readonly (readonly [heading: string, figures: string, what: string])[]>> = {
  'adapters/README.md': [
    ['Tables', '2,600 bytes', 'a limit of PostgreSQL'],
    ['When Redis does not respond', '5 %', 'a setting: `stores/redis/attempts.test.ts`'],
  ],
  'docs/guides/scopes-and-claims.md': [['Keep tokens small', '4,096 bytes', 'a limit: `oauth/host-claims.test.ts`']],
  'docs/guides/frameworks.md': [['Behind body parsers', '100 kB', 'the default of Express']],
  'docs/operate/capacity.md': [
    ['Memory and disk', '0.2 GB, 1.6 GB, 2.4 GB, 16 GB, 24 GB, 79 GB, 120 GB', 'computed: `bench/SCALE.md`'],
  ],
  'docs/operate/commands.md': [
    ['Check a live school: doctor', '5 ms, 2 MB', 'a limit, and output of a command: `cli/doctor.test.ts`'],
    ['Check the configuration: diagnose', '32 bytes', 'output of a command: `cli/diagnose.test.ts`'],
  ],
  'docs/guides/pages.md': [
    ['How the pages are protected', '48 kB', 'a limit: `features/metadata-documents/logos.test.ts`'],
  ],
  '__tests__/THREATS.md': [
    ['Authorization requests', '13 kB, 8,192 bytes', 'limits: `oauth/authorize-limits.test.ts`'],
  ],
};

interface Section {
  readonly heading: string;
  readonly text: string;
}

function sectionsOf(markdown: string): Section[] {
  // A comment of a shell in a block is no heading.
  const withoutBlocks = markdown.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, (block) => block.replace(/^#/gm, ' '));
  return withoutBlocks.split(/^(?=#+ )/m).map((text) => ({ heading: /^#+ (.*)/.exec(text)?.[1] ?? '', text }));
}

const figuresIn = (text: string): string[] => [...text.matchAll(figure)].map(([each]) => each);

function read(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** The changelog says what was so then, and the reference is generated. */
const written = documents.filter(
  (path) => !['CHANGELOG.md', '__tests__/SPECIFICATION.md'].includes(path) && !path.startsWith('docs/reference/'),
);
const measured = written.flatMap((document) =>
  sectionsOf(read(document))
    .map(({ heading, text }) => ({ document, heading, text, figures: figuresIn(text) }))
    .filter(({ figures }) => figures.length > 0),
);

const benchmark = /npm run (bench:\w+|drill|release:check)( --(?: [^`\n]*)?)?/g;
const testFile = /`([\w/-]+\.test\.ts)`/g;

/** What the documents say has a figure again: problems with the commands and files that they name, and whether there are any. */
function sourcesIn(text: string): { readonly count: number; readonly problems: string[] } {
  const commands = [...text.matchAll(benchmark)].map(([, script = '', args = '']) => problemOf(script, args));
  const files = [...text.matchAll(testFile)].map(([, file = '']) =>
    existsSync(join(root, '__tests__', file)) ? undefined : `${file} does not exist`,
  );
  return {
    count: commands.length + files.length,
    problems: [...commands, ...files].flatMap((problem) => problem ?? []),
  };
}

function problemOf(script: string, args: string): string | undefined {
  if (scripts[script] === undefined) return `npm run ${script} does not exist`;
  const words = args.split(' ').filter((word) => !['', '--'].includes(word));
  if (script === 'bench:scale') {
    try {
      readStep(words.filter((word) => word !== '--help'));
      return undefined;
    } catch (error) {
      return String(error);
    }
  }
  const unknown = words.find((word) => word.startsWith('--') && !usageOf(script).includes(`  ${word} `));
  return unknown === undefined ? undefined : `npm run ${script} does not have ${unknown}`;
}

/** The source of a benchmark, in which its options are listed. */
function usageOf(script: string): string {
  const path = /^node (\S+\.ts)$/.exec(scripts[script] ?? '')?.[1];
  return path === undefined ? '' : read(path);
}

/** Figures of a section that the documents to which it links have too, in a section that says what makes them. */
function isRepeated(document: string, text: string, each: string): boolean {
  return [...text.matchAll(/\]\(([^)#]*)#([^)]+)\)/g)].some(([, path = '', anchor = '']) => {
    const linked = path === '' ? document : join(document, '..', path);
    const number = new RegExp(`(?<![\\d.,])${each.split(/\s/)[0] ?? ''}(?![.,]?\\d)`);
    return (
      existsSync(join(root, linked)) &&
      sectionsOf(read(linked)).some(
        ({ heading, text: of }) =>
          heading.toLowerCase().replaceAll(' ', '-') === anchor && number.test(of) && sourcesIn(of).count > 0,
      )
    );
  });
}

describe('the reader of figures', () => {
  test('reads what is measured, and no limits', () => {
    expect(figuresIn('1,430 bytes, 2.7 kB; in 12.0 ms, 64 KiB and 5 seconds; 19 %')).toEqual([
      '1,430 bytes',
      '2.7 kB',
      '12.0 ms',
      '19 %',
    ]);
  });

  test.each([
    ['npm run bench:fast', 'npm run bench:fast does not exist'],
    ['npm run bench:token -- --rapid 5', 'npm run bench:token does not have --rapid'],
    ['npm run bench:scale -- --step speed', '--step must be one of'],
    ['npm run bench:scale -- --step bytes --rate 5', '--rate'],
    ['`oauth/speed.test.ts`', 'oauth/speed.test.ts does not exist'],
  ])('knows that there is no %s', (text, problem) => {
    expect(sourcesIn(text)).toEqual({ count: 1, problems: [expect.stringContaining(problem)] });
  });

  test.each(['npm run bench:token -- --only refresh', 'npm run bench:scale -- --step bytes', 'npm run drill'])(
    'knows %s',
    (text) => expect(sourcesIn(text)).toEqual({ count: 1, problems: [] }),
  );
});

test.each(measured)('$document, $heading, says what makes its figures', ({ document, heading, text, figures }) => {
  const settings = given[document]?.find(([of]) => of === heading);
  if (settings) {
    expect([...new Set(figures)].join(', ')).toBe(settings[1]);
    return;
  }
  const { count, problems } = sourcesIn(text);
  expect(problems).toEqual([]);
  const lost = count > 0 ? [] : figures.filter((each) => !isRepeated(document, text, each));
  expect(lost).toEqual([]);
});

test('what is no measurement is still in the documents, and its tests exist', () => {
  const rows = Object.entries(given).flatMap(([document, all]) => all.map((row) => [document, ...row]));
  for (const [document, heading, , what = ''] of rows) {
    expect(measured.map((each) => [each.document, each.heading])).toContainEqual([document, heading]);
    expect(sourcesIn(what).problems).toEqual([]);
  }
});

/** The tables of commands with the time that each takes. */
test.each(['README.md', 'CONTRIBUTING.md'])('every npm command of %s exists', (document) => {
  const named = [...read(document).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});
