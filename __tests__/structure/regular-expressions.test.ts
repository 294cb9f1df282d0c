import { parse } from '@babel/parser';
import { check, type Parameters } from 'recheck';
import { expect, test } from '@jest/globals';
import { sourcesOf, withoutComments } from './sources.ts';

/** Steps are counted, and no time: the verdict is the same on every machine. */
const limits: Parameters = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  attackLimit: 10_000_000,
};

/** What takes more steps than in proportion to the length of a text; nothing of an expression that takes no more. */
async function problemOf({ source, flags }: Pick<RegExp, 'source' | 'flags'>): Promise<string | undefined> {
  // A sticky expression begins at one place only.
  const anchored = flags.includes('y') ? `^(?:${source})` : source;
  const found = await check(anchored, flags.replaceAll(/[dgy]/g, ''), limits);
  if (found.status === 'safe') return undefined;
  const why = found.status === 'vulnerable' ? found.complexity.summary : found.error.kind;
  return `/${source}/${flags}: ${why}`;
}

const sources = sourcesOf('lib', 'policies', 'adapters');

/** The literals of a source, as they are written. */
function literalsIn({ text }: (typeof sources)[number]): string[] {
  const { tokens } = parse(text, { sourceType: 'module', plugins: ['typescript'], tokens: true });
  return (tokens ?? []).flatMap(({ value, start, end }: Token) =>
    typeof value === 'object' && value !== null && 'pattern' in value ? [text.slice(start, end)] : [],
  );
}

interface Token {
  readonly value?: unknown;
  readonly start: number;
  readonly end: number;
}

/** Expressions that the check does not know, and why they are safe. */
const unknown: Readonly<Record<string, string>> = {
  '/\\p{RGI_Emoji}/gv': 'a set of texts, without a quantifier',
};

/** Makes what each source with `new RegExp` makes. */
const makers: Readonly<Record<string, () => Promise<unknown>>> = {
  'lib/kernel/invisible.ts': () => import('../../lib/kernel/invisible.ts'),
  'lib/member/schema/date-time.ts': () => import('../../lib/member/schema/date-time.ts'),
  'policies/documents/document.ts': async () => {
    const { documentPattern } = await import('../../policies/documents/document.ts');
    return documentPattern('https://docs.example/*/apps/*/client.json?version=1');
  },
  'policies/vendors/names.ts': async () => {
    const { vendorPlatforms, wellKnownVendors } = await import('../../policies/index.ts');
    return vendorPlatforms(wellKnownVendors);
  },
};

/** What is made with `new RegExp` meanwhile. */
async function madeBy(make: () => Promise<unknown>): Promise<RegExp[]> {
  const made: RegExp[] = [];
  const original = RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (_target, [pattern, flags]) => {
      const expression = new original(pattern, flags);
      made.push(expression);
      return expression;
    },
  });
  await make().finally(() => (globalThis.RegExp = original));
  return made;
}

test.each([/\s*\n\s*/, /(\w+)="/, /^(a+)+$/])('%s takes too many steps', async (expression) => {
  expect(await problemOf(expression)).toContain(expression.source);
});

test('every literal takes steps in proportion to the text', async () => {
  const literals = new Set(sources.flatMap(literalsIn).filter((literal) => !(literal in unknown)));
  expect(literals.size).toBeGreaterThan(100);
  const problems = await Promise.all(
    [...literals].map((literal) => {
      const end = literal.lastIndexOf('/');
      return problemOf({ source: literal.slice(1, end), flags: literal.slice(end + 1) });
    }),
  );
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});

test('every source with new RegExp is known here', () => {
  const paths = sources.filter(({ text }) => /\bRegExp\(/.test(withoutComments(text))).map(({ path }) => path);
  expect(paths).toEqual(Object.keys(makers));
});

test.each(Object.entries(makers))('what %s makes takes steps in proportion to the text', async (_path, make) => {
  const made = await madeBy(make);
  expect(made.length).toBeGreaterThan(0);
  const problems = await Promise.all(made.map(problemOf));
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
});
