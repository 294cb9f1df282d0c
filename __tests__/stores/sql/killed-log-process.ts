import { openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sqliteStore } from '../../../adapters/sqlite/index.ts';
import { storedLog } from '../../../lib/log.ts';
import { newEventId } from '../../../lib/observe/event-id.ts';

/** What the parent says: two files, when the first event happens, and after how many the process asks to be killed. */
const [, , database = '', told = '', start = '', count = ''] = process.argv;

/** How many more it logs until it is killed, at most: those of a second. */
const more = 250;

// An event every 4 ms of a clock of its own, which runs as fast as the machine can. Each id is in a file before the log has its event.
const store = sqliteStore(new DatabaseSync(database));
const file = openSync(told, 'w');
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Number(start) });
const log = storedLog().open({ store, onFault: (message) => void process.send?.(message) });
for (let i = 1; i <= Number(count) + more; i += 1) {
  mock.timers.tick(4);
  const eventId = newEventId(Date.now());
  writeSync(file, `${eventId}\n`);
  log.add({
    version: 1,
    time: new Date().toISOString(),
    eventId,
    siteId: 'harbour',
    action: 'consent.given',
    outcome: 'allowed',
    actor: { kind: 'member', id: 'sam' },
    memberId: 'sam',
    clientId: 'app',
  });
  if (i === Number(count)) process.send?.('kill me');
  await turn();
}
// The parent is about to kill it.
setInterval(() => {}, 1000);
