// Runs the parts of a set of tests, all of them even if one fails, and says at the end which did.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fixedSeed } from './property-seed.mjs';
import { printHelp } from './help.mjs';

printHelp(`usage: npm test, npm run test:fast, test:random, test:release or release:check, [-- arguments of jest]

Runs a set of tests, and its checks. To run a file or folder: npm run unit -- path`);

const root = join(import.meta.dirname, '..');
const report = join(root, 'node_modules/.cache/campus-oidc-tests.json');

const npm = (script) => ['npm', ['run', '--silent', script]];
const build = { build: npm('build') };
const sources = { types: npm('typecheck'), lint: npm('lint'), format: npm('format:check') };
const programs = {
  redis: [process.execPath, ['scripts/redis-binary.mjs']],
  chromium: [process.execPath, ['scripts/chromium.mjs']],
};

/** The checks of a set: those that its tests need, one group after the other, and those that run beside the tests. */
const checksOf = {
  all: { before: [build, programs], beside: sources },
  fast: { before: [build], beside: sources },
  random: { before: [], beside: {} },
  release: { before: [build, programs], beside: {} },
  package: { before: [build], beside: {} },
};

const [name = 'all', ...jest] = process.argv.slice(2);
const checks = checksOf[name];
if (!checks) {
  console.error(`unknown set of tests "${name}"; there are: ${Object.keys(checksOf).join(', ')}`);
  process.exit(2);
}
// `jest.config.js` has the files of each set.
const isRandom = name === 'random';
const env = {
  CAMPUS_TESTS: name,
  PROPERTY_SEED: process.env.PROPERTY_SEED ?? String(isRandom ? randomInt(2 ** 31) : fixedSeed),
  PROPERTY_FACTOR: process.env.PROPERTY_FACTOR ?? (isRandom ? '20' : '1'),
};
console.log(`PROPERTY_SEED=${env.PROPERTY_SEED} PROPERTY_FACTOR=${env.PROPERTY_FACTOR}`);

/** Runs a program; resolves with whether it succeeded and what it wrote. */
function run(program, args, stdio = 'pipe') {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    child.on('error', (error) => done({ ok: false, output: error.message }));
    child.on('close', (code) => done({ ok: code === 0, output }));
  });
}

const failed = [];
let passed = 0;

async function check([part, [program, args]]) {
  const { ok, output } = await run(program, args);
  console.log(`${ok ? 'passed' : 'FAILED'}: ${part}\n${output}`.trim());
  if (ok) passed += 1;
  else failed.push(part);
}

async function runJest() {
  mkdirSync(join(report, '..'), { recursive: true });
  rmSync(report, { force: true });
  const args = ['node_modules/jest/bin/jest.js', '--ci', '--json', `--outputFile=${report}`, ...jest];
  // What `--json` prints is in the file, too. Everything for people is on stderr.
  const { ok } = await run(process.execPath, args, ['inherit', 'ignore', 'inherit']);
  const before = failed.length;
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
    passed += numPassedTests;
    for (const { name: file, status, assertionResults } of testResults) {
      const tests = assertionResults.filter((test) => test.status === 'failed');
      const path = file.slice(root.length + 1);
      failed.push(...tests.map(({ fullName }) => `${path}: ${fullName}`));
      // A file that could not be run has no test that failed.
      if (status === 'failed' && tests.length === 0) failed.push(path);
    }
  } catch (error) {
    failed.push(`Jest wrote no report: ${error.message}`);
  }
  if (!ok && failed.length === before) failed.push('Jest');
}

const start = performance.now();
const checkAll = (group) => Promise.all(Object.entries(group).map(check));
for (const group of checks.before) await checkAll(group);
await Promise.all([checkAll(checks.beside), runJest()]);
const seconds = Math.round((performance.now() - start) / 1000);
console.log(`\n${Math.floor(seconds / 60)} min ${seconds % 60} s`);
for (const each of failed) console.log(`FAILED: ${each}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
