import { describe, expect, test } from '@jest/globals';
import type { AuditedTool } from '../../../lib/observe/audit-event.ts';
import { progressOf, type Wanted } from '../../../lib/features/assistants/progress.ts';

describe('the steps of an app', () => {
  const wanted: Wanted = { memberId: 'sam', isAdministrator: false, app: 'claude-code', codeSeconds: 60 };
  type SeenEvent = NonNullable<Parameters<typeof progressOf>[2]>[number];
  const event = (details: Partial<SeenEvent>): SeenEvent => ({
    time: '2026-11-22T14:34:00Z',
    action: 'authorization.granted',
    outcome: 'allowed',
    app: 'claude-code',
    ...details,
  });
  const app = { id: 'claude-code', name: 'Claude Code', verified: true };
  const connection = { clientId: 'app-1', app, createdAt: 1_700_000_000, allowedAt: 1_700_000_000 };
  const tool = (outcome: AuditedTool['outcome'], more: Partial<SeenEvent> = {}): SeenEvent =>
    event({ memberId: 'sam', clientId: 'app-1', app: undefined, tool: { name: 'my_inbox', outcome }, ...more });
  const states = (...given: Parameters<typeof progressOf>): string[] => {
    const { reached, signedIn, called } = progressOf(...given);
    return [reached, signedIn, called].map(({ state }) => state);
  };
  const redeemed = (...given: Parameters<typeof progressOf>): string => progressOf(...given).redeemed.state;
  const token = (action: SeenEvent['action'], more: Partial<SeenEvent> = {}): SeenEvent =>
    event({ action, memberId: 'sam', clientId: 'app-1', app: undefined, ...more });
  const allowedNow = { ...connection, allowedAt: Date.now() / 1000 };
  const other = { ...connection, clientId: 'app-2', app: undefined };

  test.each([
    ['nothing, without a log', wanted, [], undefined, ['unknown', 'waiting', 'waiting']],
    ['nothing, with a log', wanted, [], [], ['waiting', 'waiting', 'waiting']],
    ['another app', wanted, [other], [], ['waiting', 'waiting', 'waiting']],
    ['an attempt of this person', wanted, [], [event({ memberId: 'sam' })], ['done', 'waiting', 'waiting']],
    [
      'one that was refused',
      wanted,
      [],
      [event({ memberId: 'sam', outcome: 'refused' })],
      ['refused', 'waiting', 'waiting'],
    ],
    ['an attempt of another', wanted, [], [event({ memberId: 'olivia' })], ['waiting', 'waiting', 'waiting']],
    ['a registration, for a member', wanted, [], [event({})], ['waiting', 'waiting', 'waiting']],
    ['one, for an operator', { ...wanted, isAdministrator: true }, [], [event({})], ['done', 'waiting', 'waiting']],
    ['a connection, without a log', wanted, [connection], undefined, ['done', 'done', 'unknown']],
    ['a connection, no call', wanted, [connection], [], ['done', 'done', 'waiting']],
    ['a call', wanted, [connection], [tool('failed'), tool('succeeded')], ['done', 'done', 'done']],
    ['a call that failed', wanted, [connection], [tool('fault')], ['done', 'done', 'refused']],
    [
      'a call of another',
      wanted,
      [connection],
      [tool('succeeded', { memberId: 'olivia' })],
      ['done', 'done', 'waiting'],
    ],
    [
      'a call of another app',
      wanted,
      [connection],
      [tool('succeeded', { clientId: 'x' })],
      ['done', 'done', 'waiting'],
    ],
    ['by its client ID', { ...wanted, clientId: 'app-2' }, [connection, other], undefined, ['done', 'done', 'unknown']],
    ['any app', { ...wanted, app: undefined }, [other], undefined, ['done', 'done', 'unknown']],
  ])('%s', (_name, who, connections, events, expected) => {
    expect(states(who, connections, events)).toEqual(expected);
  });

  test.each([
    ['a connection on a device', [{ ...connection, devices: [{ id: 'd' }] }], [], 'done'],
    ['one without a refresh token', [connection], [token('token.issued')], 'done'],
    ['one that was allowed just now', [allowedNow], [], 'waiting'],
    ['a code that is never redeemed', [connection], [token('authorization.granted')], 'expired'],
    ['the token of another person', [connection], [token('token.issued', { memberId: 'olivia' })], 'expired'],
    ['a code that is refused', [connection], [token('token.refused', { reason: 'invalid_grant' })], 'refused'],
    ['no device, without a log', [{ ...connection, devices: [] }], undefined, 'unknown'],
  ] as const)('its code: %s', (_name, connections, events, expected) => {
    expect(redeemed(wanted, connections, events)).toBe(expected);
  });
});
