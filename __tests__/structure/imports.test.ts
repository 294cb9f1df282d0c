import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { adapterGround, coreLayers, layerOf, policyGround } from './layers.ts';
import { importsOf, type Source, sourcesOf } from './sources.ts';

const sources = sourcesOf('lib', 'adapters', 'policies', 'examples');
const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));

/** Every import of these files that is wrong, as `from -> to`. */
function wrong(folder: string, isWrong: (to: string, from: string) => boolean): string[] {
  const files = sources.filter(({ path }) => path.startsWith(folder));
  return files.flatMap(({ path }) =>
    (graph.get(path) ?? []).filter((to) => isWrong(to, path)).map((to) => `${path} -> ${to}`),
  );
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1);
}

const isOurs = (to: string): boolean => ['lib/', 'adapters/', 'policies/', 'examples/'].includes(folderOf(to));

/** The shortest import cycle through a file, type imports included. */
function cycleFrom(start: string, imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const seen = new Set<string>();
  const ways = [[start]];
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of imports.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

function sourceOf(text: string): Source {
  return { path: 'lib/a/b.ts', text };
}

describe('the reader of imports', () => {
  test.each([
    ["import type { A } from '../c.ts';", ['lib/c.ts']],
    ["import {\n  a,\n  type B,\n} from './c.ts';", ['lib/a/c.ts']],
    ["import './c.ts';", ['lib/a/c.ts']],
    ["export { a } from './c.ts';\nexport type { B } from './d.ts';", ['lib/a/c.ts', 'lib/a/d.ts']],
    ["const c = await import('./c.ts');", ['lib/a/c.ts']],
    ["import koa from 'koa';\nimport { join } from 'node:path';", ['koa', 'node:path']],
    ["// import './c.ts';\n/* import './d.ts'; */\nexport const from = 'x';", []],
  ])('reads %j as %j', (text, imports) => {
    expect(importsOf(sourceOf(text))).toEqual(imports);
  });

  test('finds a cycle, also one that a file outside imports', () => {
    const cycle = new Map([
      ['a', ['koa', 'b']],
      ['b', ['d', 'c']],
      ['c', ['a']],
      ['d', ['b']],
    ]);
    expect(cycleFrom('a', cycle)).toEqual(['a', 'b', 'c', 'a']);
    expect(cycleFrom('d', new Map([['d', ['a']]]))).toBeUndefined();
  });

  test('finds a file for every relative import', () => {
    const isData = (to: string): boolean => to.endsWith('.json') && existsSync(join(import.meta.dirname, '../..', to));
    expect(wrong('', (to) => isOurs(to) && !graph.has(to) && !isData(to))).toEqual([]);
    expect(graph.get('lib/index.ts')).toContain('lib/campus.ts');
  });
});

test('there is no import cycle, type imports included', () => {
  expect(sources.flatMap(({ path }) => cycleFrom(path, graph)?.join(' -> ') ?? [])).toEqual([]);
});

/** What the gallery imports when somebody opens it: modules that are loaded before do not need each other. */
const storeOfExamples = 'lib/gallery/example-campus.ts -> adapters/memory/index.ts';

test('lib imports nothing of ours but lib, and the gallery the store of its examples', () => {
  expect(wrong('lib', (to) => isOurs(to) && folderOf(to) !== 'lib/')).toEqual([storeOfExamples]);
});

test.each([
  ['adapters', 'kernel, records and observe', adapterGround],
  ['policies', 'kernel, and types, values and pure checks of the core', policyGround],
])('%s imports of lib only %s, and no other folder', (folder, _names, ground) => {
  expect(wrong(folder, (to) => isOurs(to) && folderOf(to) !== `${folder}/` && !ground.test(to))).toEqual([]);
});

function adapterOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** What one adapter may import of another: what stores share, and what SQL stores share. */
const shared = /^adapters\/(?:shared|sql)\//;

test('no adapter imports another, but what stores share', () => {
  const isOther = (to: string, from: string): boolean =>
    to.startsWith('adapters/') && adapterOf(to) !== adapterOf(from) && !shared.test(to);
  expect(wrong('adapters', isOther)).toEqual([]);
  expect(wrong('adapters/shared', (to) => to.startsWith('adapters/') && !to.startsWith('adapters/shared/'))).toEqual(
    [],
  );
});

describe('package.json', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const published = ['lib/', 'adapters/', 'policies/'];
  const isPackage = (to: string, name: string): boolean => to === name || to.startsWith(`${name}/`);

  test('has every package that published files import as a dependency or peer dependency', () => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const isDeclared = (to: string): boolean => declared.some((name) => isPackage(to, name));
    const isMissing = (to: string): boolean => !isOurs(to) && !to.startsWith('node:') && !isDeclared(to);
    expect(published.flatMap((folder) => wrong(folder, isMissing))).toEqual([]);
  });

  test('has no dependency that published files do not import', () => {
    const files = sources.filter(({ path }) => published.includes(folderOf(path)));
    const imports = files.flatMap(({ path }) => graph.get(path) ?? []);
    const isUnused = (name: string): boolean => !imports.some((to) => isPackage(to, name.replace(/^@types\//, '')));
    expect(Object.keys(manifest.dependencies).filter(isUnused)).toEqual([]);
  });
});

test('examples use the package by its name, as its users do', () => {
  expect(wrong('examples', (to) => isOurs(to) && folderOf(to) !== 'examples/')).toEqual([]);
});

test('a file of lib imports from its own layer and from those below', () => {
  expect(wrong('lib', (to, from) => to.startsWith('lib/') && layerOf(to) > layerOf(from))).toEqual([]);
});

test('a folder of the core imports from folders below', () => {
  const placeOf = (path: string): number => coreLayers.findIndex((folder) => path.startsWith(`lib/core/${folder}`));
  const isAbove = (to: string, from: string): boolean => to.startsWith('lib/core/') && placeOf(to) > placeOf(from);
  expect(sources.filter(({ path }) => path.startsWith('lib/core/') && placeOf(path) < 0)).toEqual([]);
  expect(wrong('lib/core', isAbove)).toEqual([]);
});

/** The files and folders in which two paths differ first. */
function siblings(from: string, to: string): readonly [string, string] {
  const [a, b] = [from.split('/'), to.split('/')];
  const depth = a.findIndex((name, i) => name !== b[i]) + 1;
  return [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')];
}

test('no files and folders of one folder import each other in a ring, at any level', () => {
  const edges = new Map<string, Set<string>>();
  for (const [from, targets] of graph) {
    for (const to of targets.filter((target) => graph.has(target) && `${from} -> ${target}` !== storeOfExamples)) {
      const [a, b] = siblings(from, to);
      edges.set(a, (edges.get(a) ?? new Set()).add(b));
    }
  }
  const imports = new Map([...edges].map(([a, all]) => [a, [...all]]));
  expect([...imports.keys()].flatMap((folder) => cycleFrom(folder, imports)?.join(' -> ') ?? [])).toEqual([]);
});

test('only the list of features, and the public door, import a feature; a feature imports no other', () => {
  const featureOf = (path: string): string | undefined => /^lib\/features\/([^/]+)\//.exec(path)?.[1];
  // Every campus has applications, connected apps and apps: `campus.ts` makes what is in their `domain/`.
  const doors = [
    'lib/features/features.ts',
    'lib/index.ts',
    'lib/grant-types.ts',
    'lib/dpop.ts',
    'lib/log.ts',
    'lib/campus.ts',
  ];
  const isForeign = (to: string, from: string): boolean =>
    featureOf(to) !== undefined && featureOf(to) !== featureOf(from) && !doors.includes(from);
  expect(wrong('lib', isForeign)).toEqual([]);
});

test('only the engine and features read the engine’s async context, and ours is one', () => {
  const lib = sources.filter(({ path }) => path.startsWith('lib/'));
  const places = (what: RegExp): string[] =>
    lib.flatMap(({ path, text }) => Array.from(text.matchAll(what), () => path));
  const readers = places(/currentRequest\(\)|Provider\.ctx/g);
  expect(readers).toContain('lib/engine/adapter.ts');
  expect(readers.filter((path) => !/^lib\/(?:engine|features)\//.test(path))).toEqual([]);
  expect(places(/new AsyncLocalStorage/g)).toEqual(['lib/kernel/request-time.ts']);
});

test('what a feature adds to Campus is in its method-types.ts, so that public types lead to none of its parts', () => {
  const adding = sources.filter(({ text }) => text.includes('interface FeatureMethods extends'));
  expect(adding.length).toBeGreaterThan(3);
  expect(adding.map(({ path }) => path).filter((path) => !path.endsWith('/method-types.ts'))).toEqual([]);
});
