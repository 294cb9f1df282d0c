import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readStep, standardOf, steps, usage } from '../../bench/scale-steps/arguments.ts';
import { sizeOf } from '../../bench/scale-steps/model.ts';

function run(script: string, ...args: string[]): { readonly status: number | null; readonly output: string } {
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const path = new URL(`../../bench/${script}.ts`, import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, path, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe.each([
  ['drill', 'npm run drill', ['--quick', '--on', '--only']],
  ['telemetry', 'npm run bench:telemetry', ['--rounds', '--requests', '--only']],
  ['scale', 'npm run bench:scale', ['--step', '--connections', '--schools', '--times']],
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

describe('bench/scale', () => {
  test('a size that is no number is refused before anything starts', () => {
    const { status, output } = run('scale', '--step', 'costs', '--connections', '10k');
    expect(status).toBe(2);
    expect(output).toMatch(/^--connections 10k must be whole numbers, separated by commas\n/);
  });

  test.each(Object.entries(steps))(
    '%s: each option is in the usage and read, and a wrong value is refused',
    (step, { options }) => {
      for (const [name, { standard }] of Object.entries(options)) {
        expect(usage).toContain(`    --${name} ${standard}`);
        expect(readStep(['--step', step, `--${name}`, standard])).toEqual(readStep(['--step', step]));
        expect(() => readStep(['--step', step, `--${name}`, 'ten'])).toThrow(`--${name} ten must be `);
      }
    },
  );

  test('an option of another step, one without a step, and an unknown step are refused', () => {
    expect(() => readStep(['--step', 'restore', '--rate', '5'])).toThrow('--rate');
    expect(() => readStep(['--rate', '5'])).toThrow('--rate is an option of a step: choose one with --step');
    expect(() => readStep(['--step', 'speed'])).toThrow('--step must be one of costs, bytes, latency');
    expect(readStep([])).toBeUndefined();
  });

  test('the model is arithmetic: cores, shards and disks follow from rates and figures', () => {
    const each = { verify: 100, refresh: 200, signIn: 1000 };
    const figures = {
      measured: 'here',
      serverCpu: each,
      databaseCpu: each,
      logBytes: { verify: 0, refresh: 8192, signIn: 81_920 },
      syncs: { verify: 0, refresh: 1, signIn: 2 },
      bytes: 1000,
      replayBytes: 0,
      graceSeconds: 30,
    };
    const given = {
      ...standardOf('model'),
      on: 'postgres',
      connections: 86_400_000,
      'verifies-a-day': 2,
      'refreshes-a-day': 1,
      'sign-ins-a-day': 0.1,
      peak: 1,
      load: 0.5,
      replicas: 1,
      headroom: 2,
      'memory-gb': 1000,
      'disk-gb': 100,
      'server-cores': 1,
      'core-cost': 10,
      'disk-cost': 1,
    } as const;
    expect(sizeOf(given, figures)).toEqual({
      verifies: 2000,
      refreshes: 1000,
      signIns: 100,
      serverCores: 1,
      databaseCores: 1,
      storedGb: 86.4,
      shards: 2,
      shardedBecause: 'memory or disk',
      logMb: 16.384,
      writeIops: 2000 + 1200,
      costOfMonth: (1 + 2 * 2) * 10 + 86.4 * 2 * 2,
    });
    // A Redis runs commands on one core, and synchronizes its file once a second.
    const onRedis = { ...given, on: 'redis', 'refreshes-a-day': 10 } as const;
    const { syncs: _, ...withoutSyncs } = figures;
    expect(sizeOf(onRedis, withoutSyncs)).toMatchObject({ databaseCores: 4.6, shards: 5, shardedBecause: 'cores' });
  });
});
