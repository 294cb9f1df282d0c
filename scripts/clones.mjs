// Runs `npm ci && npm test` in fresh clones of HEAD, one after the other, as somebody who is new does. `--load` adds busy processes.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { printHelp } from './help.mjs';

const root = join(import.meta.dirname, '..');
const usage = `usage: npm run test:clones [-- --clones 5] [--load 12]

Runs npm ci && npm test in fresh clones of HEAD, one after the other.
  --clones  how many
  --load    busy processes beside them`;
printHelp(usage);

const { clones, load } = readArguments();
// The apps of this folder, and what chooses its tests, are not there for somebody who is new.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CAMPUS|PROPERTY)_/.test(name)));
env.PATH = (env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

const commit = git('rev-parse', 'HEAD');
console.log(`${clones} clones of ${git('log', '-1', '--format=%h %s')}, beside ${load} busy processes`);
if (git('status', '--porcelain') !== '') console.log('what is not committed is not in the clones');

const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
process.on('exit', () => busy.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

let failed = 0;
for (let i = 1; i <= clones; i += 1) if (!(await tryClone(i))) failed += 1;
console.log(`${clones - failed} of ${clones} passed`);
process.exit(failed === 0 ? 0 : 1);

function readArguments() {
  try {
    const options = { clones: { type: 'string', default: '5' }, load: { type: 'string', default: '0' } };
    const { values } = parseArgs({ options });
    return { clones: count('--clones', values.clones), load: count('--load', values.load) };
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    return process.exit(2);
  }
}

function count(name, text) {
  if (!/^\d{1,3}$/.test(text)) throw new Error(`${name} must be a whole number below 1000, not "${text}"`);
  return Number(text);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

/** Prints how the clone went. One that failed stays, with what it wrote. */
async function tryClone(i) {
  const folder = mkdtempSync(join(tmpdir(), 'campus-clone-'));
  const [clone, log] = [join(folder, 'repository'), join(folder, 'output.txt')];
  git('clone', '--quiet', '--no-local', '--no-checkout', root, clone);
  git('-C', clone, 'checkout', '--quiet', '--detach', commit);
  const start = performance.now();
  const isInstalled = await run('npm', ['ci'], clone, log);
  const installed = performance.now();
  const ok = isInstalled && (await run('npm', ['test'], clone, log));
  const end = performance.now();
  const times = `npm ci ${time(installed - start)}, npm test ${time(end - installed)}`;
  console.log(`clone ${i} of ${clones}: ${ok ? 'passed' : 'FAILED'}; ${times}`);
  const lines = readFileSync(log, 'utf8').split('\n');
  for (const line of lines.filter((each) => /^FAILED: |^\d+ passed, \d+ failed$/.test(each))) console.log(`  ${line}`);
  if (ok) rmSync(folder, { recursive: true, force: true });
  else console.log(`  everything that it wrote: ${log}`);
  return ok;
}

function run(app, args, cwd, log) {
  const output = openSync(log, 'a');
  return new Promise((done) => {
    const child = spawn(app, args, { cwd, env, stdio: ['ignore', output, output] });
    child.on('error', (error) => {
      console.log(error.message);
      done(false);
    });
    child.on('close', (code) => done(code === 0));
  }).finally(() => closeSync(output));
}

function time(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
