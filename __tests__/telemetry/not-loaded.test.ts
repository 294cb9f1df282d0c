import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
const own = './opentelemetry';

/** The modules of OpenTelemetry that a process loads which imports these entry points. */
async function loaded(names: readonly string[]): Promise<string[]> {
  const code = `
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, next) {
        if (url.includes('/@opentelemetry/')) console.log(url);
        return next(url, context);
      },
    });
    for (const name of ${JSON.stringify(names)}) await import('campus-oidc' + name.slice(1));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: root });
  return stdout.split('\n').filter((line) => line !== '');
}

test('only campus-oidc/opentelemetry loads OpenTelemetry, and of it only the API', async () => {
  expect(entries).toContain(own);
  expect(await loaded(entries.filter((entry) => entry !== own))).toEqual([]);
  const modules = await loaded([own]);
  expect(modules.length).toBeGreaterThan(0);
  expect(modules.filter((url) => !url.includes('/@opentelemetry/api/'))).toEqual([]);
});
