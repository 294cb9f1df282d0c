import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { play } from '../../lib/testing/clients/play.ts';
import type { ClientProgram } from '../../lib/testing/clients/program.ts';
import type { Schools } from '../helpers/schools.ts';
import type { DocumentServer } from '../metadata-documents/document-server.ts';
import { allowing } from './people.ts';
import { approveDocuments, createApplication, harbourSite, startRecommended } from './recommended.ts';
import { recordedDocuments, serveDocuments } from './recorded-documents.ts';
import { clientRows } from './rows.ts';
import { createCourse } from './school-tools.ts';

const rows = await clientRows();
const admitted = rows.filter(({ admission }) => admission !== 'application');
const selfHosted = rows.filter(({ admission }) => admission === 'application');

let documents: DocumentServer;
let schools: Schools;
beforeAll(async () => {
  documents = await serveDocuments(recordedDocuments);
  schools = await startRecommended(documents);
  await approveDocuments(schools);
});
afterAll(async () => {
  await schools.close();
  await documents.close();
});

const created = { structuredContent: { created: 'Knots', at: 'harbour', by: 'olivia' } };

/** Plays a program on a new device of a person. */
function onNewDevice(program: ClientProgram, path: string, more: Partial<Parameters<typeof play>[1]> = {}) {
  const approve = allowing(schools.browser('olivia'));
  return play(program, { address: `${schools.harbour}${path}`, approve, tool: createCourse, ...more });
}

test('every program but LibreChat is admitted by a policy or its document', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(selfHosted.map(({ name }) => name)).toEqual(['LibreChat']);
});

describe('from the address that operators are told to a tool that writes, a refresh, and a second device', () => {
  test.each(admitted)('$name', async ({ program }) => {
    const phone = await onNewDevice(program, '/mcp/operator');
    expect(phone).toMatchObject({ connected: true, refreshed: true, results: [created, created] });
    expect(phone.reason).toBeUndefined();
    expect(phone.device.tools).toEqual(['school_info', 'create_course', 'list_orders']);
    expect(phone.device.signedIn?.scope.split(' ')).not.toContain('account:read');

    const laptop = await onNewDevice(program, '/mcp/operator');
    expect(laptop.reason).toBeUndefined();
    await phone.device.refresh();
    await laptop.device.refresh();
    for (const { device } of [phone, laptop]) {
      expect(await device.callTool(createCourse.name, createCourse.arguments)).toMatchObject(created);
    }
  });
});

describe('a self-hosted program', () => {
  test.each(selfHosted)('$name cannot register', async ({ program }) => {
    const { reason } = await onNewDevice(program, '/mcp/operator');
    expect(reason).toMatch(/^registration was refused: invalid_redirect_uri/);
  });

  test.each(selfHosted)('$name connects and acts with a client that an operator created', async ({ program }) => {
    const client = await createApplication(schools.campus, harbourSite(schools), program.redirectUri, 'operator');
    const transcript = await onNewDevice(program, '/mcp/operator', { client });
    expect(transcript.reason).toBeUndefined();
    expect(transcript.results).toMatchObject([created, created]);
  });

  test.each(selfHosted)('$name connects a student at /mcp/member', async ({ program }) => {
    const client = await createApplication(schools.campus, harbourSite(schools), program.redirectUri, 'member');
    const { reason, results } = await onNewDevice(program, '/mcp/member', {
      client,
      approve: allowing(schools.browser('sam')),
      tool: { name: 'my_inbox' },
    });
    expect(reason).toBeUndefined();
    expect(results).toMatchObject([{ structuredContent: { inboxOf: 'sam' } }, {}]);
  });
});

// Specification, Anonymous and missing tokens 1: /mcp serves requests without a token, so nothing asks these programs to
// sign in. Operators are told /mcp/operator for this reason.
const neverAsked = 'it was served without a token, so it never signs in';

describe('at /mcp, which serves requests without a token', () => {
  test.each(admitted)('$name', async ({ program }) => {
    const { reason, results } = await onNewDevice(program, '/mcp');
    const waits = program.behaviour.start === 'unauthorized';
    expect(reason).toBe(waits ? neverAsked : undefined);
    expect(results).toHaveLength(waits ? 0 : 2);
  });
});

test('at /mcp with anonymous: false, programs that wait for a 401 connect, too', async () => {
  const closed = await startRecommended(documents, { mcp: { anonymous: false } });
  await approveDocuments(closed);
  const reasons: unknown[] = [];
  for (const { program } of admitted.filter((row) => row.program.behaviour.start === 'unauthorized')) {
    const approve = allowing(closed.browser('olivia'));
    const { reason } = await play(program, { address: `${closed.harbour}/mcp`, approve, tool: createCourse });
    if (reason !== undefined) reasons.push([program.name, reason]);
  }
  await closed.close();
  expect(reasons).toEqual([]);
});
