// Chooses test files by what they import, so that no list has to be kept.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** What serves, starts another program or installs something. */
const heavy = new Set(['child_process', 'http', 'http2', 'https', 'net', 'tls'].map((name) => `node:${name}`));
heavy.add('ioredis').add('pg').add('playwright-core');

/** The test files of which nothing that they import starts a server, Redis, the browser or another program. */
export function filesWithoutServers(root) {
  const known = new Map();
  const isHeavy = (specifier) => heavy.has(specifier);
  return testFiles(root).filter((file) => ![...reachedFrom(root, file, known)].some(isHeavy));
}

/** The test files with property tests. */
export function filesWithProperties(root) {
  return testFiles(root).filter((file) => importsOf(file).includes('fast-check'));
}

function testFiles(root) {
  return globSync('__tests__/**/*.test.ts', { cwd: root })
    .sort()
    .map((file) => join(root, file));
}

/** Files and packages that are imported as values, directly or through files of ours. */
function reachedFrom(root, file, known) {
  const reached = new Set();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    // The package itself only serves when a host makes it.
    if (!next.startsWith('/') || /^(?:lib|adapters|policies)\//.test(relative(root, next))) continue;
    if (!known.has(next)) known.set(next, importsOf(next));
    waiting.push(...known.get(next));
  }
  return reached;
}

function importsOf(file) {
  if (!existsSync(file) || !/\.m?[jt]s$/.test(file)) return [];
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^(?:import|export) (?!type\b)[^;]*?'([^']+)';|\bimport\('([^']+)'\)/gm);
  return [...imports].map(([, named, dynamic]) => {
    const specifier = named ?? dynamic ?? '';
    return specifier.startsWith('.') ? resolve(dirname(file), specifier) : specifier;
  });
}
