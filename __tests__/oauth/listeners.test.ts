import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AuditEvent, Campus, FaultEvent } from '../../lib/index.ts';
import { emitAudit, emitFault } from '../../lib/observe/events.ts';
import { startSchools } from '../helpers/schools.ts';
import { node } from '../package/commands.ts';

const audit: AuditEvent = {
  version: 1,
  time: '2026-11-22T08:15:30.000Z',
  eventId: 'c3f0',
  siteId: 'harbour',
  action: 'token.refused',
  outcome: 'refused',
  reason: 'invalid_request',
  actor: { kind: 'anonymous' },
};
const fault: FaultEvent = { message: 'store.find failed', cause: new Error('down') };
const broken = new Error('log disk full');
function fail(): never {
  throw broken;
}
const failures: readonly [string, () => unknown][] = [
  ['throws', fail],
  ['rejects', async () => fail()],
  ['rejects later', () => Promise.resolve().then(fail)],
];

let events: Campus['events'];
let warnings: string[];
beforeEach(() => {
  events = new EventEmitter();
  warnings = [];
  jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each(failures)('a listener that %s', (_kind, listener) => {
  test('on "audit" becomes a fault, and the other listeners run', async () => {
    const [audits, faults]: [AuditEvent[], FaultEvent[]] = [[], []];
    events.on('audit', listener);
    events.on('audit', (event) => audits.push(event));
    events.on('fault', (event) => faults.push(event));
    emitAudit(events, audit);
    await setImmediate();
    expect(audits).toEqual([audit]);
    expect(faults).toEqual([{ message: 'a listener of campus.events "audit" failed', cause: broken }]);
    expect(warnings).toEqual([]);
  });

  test('on "audit" becomes a process warning where nothing listens to "fault"', async () => {
    events.on('audit', listener);
    emitAudit(events, audit);
    await setImmediate();
    expect(warnings).toEqual(['a listener of campus.events "audit" failed: Error: log disk full']);
  });

  test('on "fault" becomes one process warning and no further fault, and the other listeners run', async () => {
    const faults: FaultEvent[] = [];
    events.on('fault', listener);
    events.on('fault', (event) => faults.push(event));
    emitFault(events, fault);
    await setImmediate();
    expect(faults).toEqual([fault]);
    expect(warnings).toEqual(['a listener of campus.events "fault" failed: Error: log disk full']);
  });
});

test('a listener added with once() runs once', () => {
  const audits: AuditEvent[] = [];
  events.once('audit', (event) => audits.push(event));
  emitAudit(events, audit);
  emitAudit(events, audit);
  expect(audits).toEqual([audit]);
});

test('a fault that nothing listens to is a process warning, whatever was thrown', () => {
  emitFault(events, fault);
  emitFault(events, { message: 'policy failed', cause: Object.create(null) });
  expect(warnings).toEqual(['store.find failed: Error: down', 'policy failed: [Object: null prototype] {}']);
});

test('a process in which every listener of "audit" and "fault" fails goes on serving', async () => {
  const app = join(import.meta.dirname, 'failing-listeners.ts');
  expect(JSON.parse(await node(['--experimental-strip-types', app]))).toEqual([400, 400]);
});

test('campus.close() leaves the listeners of the host in place', async () => {
  const schools = await startSchools();
  schools.campus.events.on('audit', () => undefined);
  await schools.close();
  expect(schools.campus.events.listenerCount('audit')).toBe(1);
});
