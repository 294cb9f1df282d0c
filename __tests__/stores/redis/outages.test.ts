import { afterEach, describe, expect, test } from '@jest/globals';
import type { CampusOptions } from '../../../lib/index.ts';
import { type RedisCampus, startRedisCampus } from './campus.ts';
import { type Load, startLoad } from './load.ts';

/** Milliseconds: a slow machine connects within it. */
const deadline = 2000;

let campus: RedisCampus;
afterEach(() => campus.close());

// Every write that Redis acknowledges is on disk.
const onDisk = ['--appendonly', 'yes', '--appendfsync', 'always'];

async function start(more: Partial<CampusOptions> = {}, redis = onDisk): Promise<void> {
  // A fast machine refreshes more often during an outage than a family may in an hour.
  campus = await startRedisCampus({ redis, store: { deadline }, campus: { limits: false, ...more } });
}

/** Runs a load while something goes wrong, and checks what the applications saw. */
async function survive(name: string, disturb: (load: Load) => Promise<unknown>): Promise<void> {
  const load = await startLoad(campus.schools, [campus.schools.harbour]);
  await load.successes(10);
  await disturb(load);
  await load.successes(10);
  const { wrong, statuses } = await load.stop();
  console.info(name, statuses);
  expect(wrong).toEqual([]);
  expect(await load.lost()).toEqual([]);
}

describe('outage under load: only 200 and 503, no acknowledged write is lost, and no restart is needed, when', () => {
  test.each<[string, (load: Load) => Promise<unknown>]>([
    [
      'Redis is killed and started again',
      async (load) => {
        await campus.server.kill();
        await load.faults();
        await campus.server.start();
      },
    ],
    [
      'the Redis process is stopped',
      async (load) => {
        campus.server.freeze();
        // The deadline ends every request, or this would wait for ever.
        await load.faults();
        campus.server.thaw();
      },
    ],
    ['Redis is paused', () => campus.admin.client('PAUSE', 3000)],
    ['Redis sleeps (DEBUG SLEEP)', () => campus.admin.call('DEBUG', 'SLEEP', '3')],
    [
      'connections break repeatedly',
      async (load) => {
        for (let i = 0; i < 10; i += 1) {
          campus.proxy.reset();
          await load.successes(1);
        }
      },
    ],
  ])(
    '%s',
    async (name, disturb) => {
      await start();
      await survive(name, disturb);
    },
    120_000,
  );

  test('Redis is paused for longer than refreshGrace', async () => {
    // Refreshes that are queued meanwhile must not be carried out afterwards: no one could get their response.
    // In memory: a disk that is slow delays replies to what was carried out.
    await start({ lifetimes: { refreshGrace: 4 } }, []);
    await survive('paused for long', () => campus.admin.client('PAUSE', 6000));
  });
});
