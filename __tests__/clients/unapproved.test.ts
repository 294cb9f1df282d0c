import { describe, expect, test } from '@jest/globals';
import type { Approve } from '../../lib/simulated-clients/authorization.ts';
import { viewing } from './people.ts';
import { startPlaying } from './playing.ts';
import { approveDocuments } from './recommended.ts';
import { recordedDocuments } from '../../lib/features/metadata-documents/recorded-documents.ts';
import { clientRows } from './rows.ts';

const rows = await clientRows();
const published = rows.filter(({ admission }) => admission === 'document');
const playing = startPlaying();
const approve: Approve = (url) => viewing(playing.schools().browser('olivia'))(url);

// The specification lets an unreviewed document read; the first request of these apps names what the tools need.
describe('an app whose document the operator does not approve connects and reads, but does not write', () => {
  test.each(published)('$name', async ({ app }) => {
    const reading = await playing.run(app, { approve, tool: { name: 'list_orders' } });
    expect([reading.reason, reading.results.length]).toEqual([undefined, 2]);
    const { connected, reason, results, installation } = await playing.run(app, { approve });
    expect([connected, results.length, reason === undefined]).toEqual([true, 0, false]);
    expect(installation.signedIn?.scope.split(' ').filter((scope) => scope.endsWith(':write'))).toEqual([]);
  });

  test('after the approval they act, once they have signed in again', async () => {
    await approveDocuments(playing.schools(), recordedDocuments);
    for (const { app } of published) {
      const { reason } = await playing.run(app, { approve });
      expect({ name: app.name, reason }).toEqual({ name: app.name, reason: undefined });
    }
  });
});
