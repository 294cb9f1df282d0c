import { expect, test } from '@jest/globals';
import { memoryStore } from '../../adapters/memory/index.ts';
import { endGrants } from '../../lib/core/grants/changes.ts';
import type { AuditDetails } from '../../lib/observe/audit-event.ts';
import { recordStore } from '../../lib/records/record-store.ts';
import type { Store } from '../../lib/store.ts';

test.each([
  [1, 1],
  [100, 100],
  [103, 100],
])('when %i people lose a client, one event counts all and names %i', async (people, named) => {
  const events: AuditDetails[] = [];
  const ids = Array.from({ length: people }, (_, i) => `person-${i}`);
  const revoke: Store['revoke'] = async (_siteId, _filter, ended) => {
    for (const id of ids) ended?.(id);
    return people;
  };
  const store = recordStore({ ...memoryStore(), revoke }, () => {});
  const onAudit = (event: AuditDetails): void => void events.push(event);
  const details = {
    actor: { kind: 'administrator', id: 'olivia' },
    reason: 'client_blocked',
    clientId: 'app',
  } as const;
  expect(await endGrants({ store, onAudit }, 'harbour', { clientId: 'app' }, details)).toBe(people);
  expect(events).toEqual([
    { action: 'connection.ended', siteId: 'harbour', ...details, connections: people, memberIds: ids.slice(0, named) },
  ]);
});
