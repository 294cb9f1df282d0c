import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';

function run(script: string, ...args: string[]): { readonly status: number | null; readonly output: string } {
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const path = new URL(`../../bench/${script}.ts`, import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, path, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe.each([
  ['drill', 'npm run drill', ['--quick', '--on', '--only']],
  ['telemetry', 'npm run bench:telemetry', ['--rounds', '--requests', '--only']],
  ['scale', 'npm run bench:scale', ['--connections', '--schools', '--times']],
])('bench/%s', (script, command, options) => {
  test('--help prints the usage and does nothing else', () => {
    const { status, output } = run(script, '--help');
    expect(status).toBe(0);
    expect(output).toContain(command);
    for (const option of options) expect(output).toContain(`  ${option}`);
  });

  test('an unknown option is refused, with the usage', () => {
    const { status, output } = run(script, '--fast');
    expect(status).toBe(2);
    expect(output).toContain('--fast');
    expect(output).toContain(command);
  });
});

test('sizes that are not whole numbers are refused', () => {
  expect(run('scale', '--connections', '10k')).toEqual({
    status: 2,
    output: '10k must be whole numbers, separated by commas\n',
  });
});
