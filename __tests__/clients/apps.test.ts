import { describe, expect, test } from '@jest/globals';
import { allowing, watching } from './people.ts';
import { startPlaying } from './playing.ts';
import { createApplication } from './recommended.ts';
import { clientRows } from './rows.ts';
import { createCourse } from './school-tools.ts';

const rows = await clientRows();
const admitted = rows.filter(({ admission }) => admission !== 'application');
const selfHosted = rows.filter(({ admission }) => admission === 'application');

const playing = startPlaying();

const created = { structuredContent: { created: 'Knots', at: 'harbour', by: 'olivia' } };

test('every app but LibreChat is admitted by a policy or its document', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(selfHosted.map(({ name }) => name)).toEqual(['LibreChat']);
});

// Nothing is approved before: the operator does so on the consent page, for those that come by a document.
describe('with one consent, from the address that operators are told to a tool that writes, a refresh, and a second device', () => {
  test.each(admitted)('$name', async ({ app }) => {
    const { asked, approve } = watching(allowing(playing.schools().browser('olivia')));
    const phone = await playing.run(app, { approve });
    expect([phone.reason, asked.length]).toEqual([undefined, 1]);
    expect(phone).toMatchObject({ connected: true, refreshed: true, results: [created, created] });
    expect(phone.installation.tools).toEqual(['school_info', 'create_course', 'list_orders']);
    expect(phone.installation.signedIn?.scope.split(' ')).not.toContain('account:read');

    const laptop = await playing.run(app);
    expect(laptop.reason).toBeUndefined();
    await phone.installation.refresh();
    await laptop.installation.refresh();
    for (const { installation } of [phone, laptop]) {
      expect(await installation.callTool(createCourse.name, createCourse.arguments)).toMatchObject(created);
    }
  });
});

describe('a self-hosted app', () => {
  test.each(selfHosted)('$name cannot register', async ({ app }) => {
    const { reason } = await playing.run(app);
    expect(reason).toMatch(/^registration was refused: invalid_redirect_uri/);
  });

  test.each(selfHosted)('$name connects and acts with a client that an operator created', async ({ app }) => {
    const client = await createApplication(playing.schools(), app.redirectUri, 'operator');
    const transcript = await playing.run(app, { client });
    expect(transcript.reason).toBeUndefined();
    expect(transcript.results).toMatchObject([created, created]);
  });

  test.each(selfHosted)('$name connects a student at /mcp/member', async ({ app }) => {
    const client = await createApplication(playing.schools(), app.redirectUri, 'member');
    const { reason, results } = await playing.run(app, {
      address: `${playing.schools().harbour}/mcp/member`,
      client,
      approve: allowing(playing.schools().browser('sam')),
      tool: { name: 'my_inbox' },
    });
    expect(reason).toBeUndefined();
    expect(results).toMatchObject([{ structuredContent: { inboxOf: 'sam' } }, {}]);
  });
});

describe('at /mcp, which serves requests without a token', () => {
  test.each(admitted)('$name', async ({ app, whyNotAtMcp }) => {
    const { reason, results } = await playing.run(app, { address: `${playing.schools().harbour}/mcp` });
    expect(reason).toBe(whyNotAtMcp);
    expect(results).toHaveLength(whyNotAtMcp === undefined ? 2 : 0);
  });
});
