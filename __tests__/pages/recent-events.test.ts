import { afterEach, describe, expect, test } from '@jest/globals';
import type { AuditEvent, MaybePromise, Site } from '../../lib/index.ts';
import type { EventQuestion } from '../../lib/observe/event-question.ts';
import { auditOutcomes } from '../../lib/observe/audit-event.ts';
import { memberDigest } from '../../lib/observe/member-digest.ts';
import { connect, memberApp, refresh } from '../helpers/flow.ts';
import { readPage } from '../helpers/page.ts';
import { type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { countedStore } from '../helpers/stores.ts';
import { accessToken, callTool } from '../mcp/rpc.ts';
import { hostileName } from './browser/gallery.ts';

const connections = '/developers/apps';
const path = `${connections}/activity`;
/** All entries, of whatever kind. */
const everything = `${path}?kind=all`;

let schools: Schools;
afterEach(() => schools.close());

/** The events of a school, as a log of the host has them. */
type EventsOf = (site: Site) => MaybePromise<readonly AuditEvent[]>;

const start = async (eventsOf?: EventsOf, options: SchoolsOptions = {}): Promise<void> => {
  const log = eventsOf && { list: async (site: Site) => ({ events: await eventsOf(site) }) };
  schools = await startSchools({ ...options, campus: { ...options.campus, log } });
};

/** With a log that has what really happens. */
async function startWithLog(options?: SchoolsOptions): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  await start(({ id }) => events.filter(({ siteId }) => siteId === id), options);
  schools.campus.events.on('audit', (event) => events.unshift(event));
  return events;
}

const pageOf = async (person: string, at = everything, language = 'en'): Promise<string> =>
  (await schools.browser(person).follow(schools.harbour + at, { headers: { 'accept-language': language } })).html;

/** The sentences, without their times. */
const said = (html: string): string[] =>
  readPage(html)
    .getAllByRole('listitem')
    .flatMap(({ children: [, sentence, time] }) => (time?.role === 'time' && sentence ? [sentence.text] : []));

const event: AuditEvent = {
  version: 1,
  time: '2026-11-22T08:00:00.000Z',
  eventId: 'one',
  siteId: 'harbour',
  action: 'consent.given',
  outcome: 'allowed',
  clientId: memberApp.id,
  memberId: 'sam',
  actor: { kind: 'member', id: 'sam' },
};

/** Whatever a function of the host can return. */
const asRows = (rows: unknown, options?: SchoolsOptions) =>
  start(
    JSON.parse('0', () => () => rows),
    options,
  );

describe('every audit action', () => {
  const actions = Object.keys(auditOutcomes);

  test.each(['en', 'zh-Hant'])('is told with names in %s: no id, no code and no other language', async (language) => {
    const tool = { name: 'create_course', outcome: 'succeeded' };
    const administrator = { kind: 'administrator', id: 'olivia' };
    const rows = actions.map((action, i) => ({
      ...event,
      eventId: `${i}`,
      action,
      ...(action === 'tool.called' && { tool }),
      ...(/^(?:application|client|app|document|request)\./.test(action) && { actor: administrator }),
    }));
    await asRows(rows, { mcp: { tools: [courseTool()] } });
    const pages = await Promise.all([1, 2].map((page) => pageOf('olivia', `${path}?all=yes&page=${page}`, language)));
    const sentences = pages.flatMap(said);
    expect(sentences).toHaveLength(actions.length);
    for (const text of sentences) expect(text).toMatch(/Pocket School|Sam Student|Olivia Owner/);
    expect(sentences.join('\n')).not.toMatch(/member-app|\bsam\b|\bolivia\b|create_course|event\.|[{}]/);
    if (language === 'zh-Hant') expect(sentences.join()).not.toMatch(/ (?:the|was|for|and) /);
    expect(schools.faults).toEqual([]);
  });
});

function courseTool(result: object = {}) {
  return {
    name: 'create_course',
    title: 'Create a course',
    description: 'Creates a course.',
    access: { scopes: ['account:write'] },
    run: () => ({ structuredContent: {}, ...result }),
  };
}

describe('Activity', () => {
  test.each([
    ['en', 'An administrator erased what was stored of a person'],
    ['zh-Hant', '一位管理者 刪除了一位人員的所有儲存資料'],
  ])(
    'who was erased has neither a name nor a digest, on the page and in its file, in %s',
    async (language, sentence) => {
      const { clientId: _client, memberId: _member, ...rest } = event;
      const digest = memberDigest('harbour', 'sam');
      await asRows([{ ...rest, action: 'member.erased', actor: { kind: 'administrator' }, memberDigest: digest }]);
      const page = await pageOf('olivia', everything, language);
      expect(said(page)).toEqual([sentence]);
      const file = await pageOf('olivia', `${everything}&format=csv`, language);
      expect(file).toContain(sentence.replace(/^An administrator/, ''));
      for (const text of [page, file]) expect(text).not.toContain(digest.slice(0, 8));
    },
  );

  test('operators read who did what and when, in sentences; nobody else does', async () => {
    await startWithLog();
    expect(await pageOf('olivia')).toContain('Nothing in the latest 500 entries.');
    const { body } = await connect(schools.browser('sam'), schools.harbour, memberApp);
    await refresh(schools.harbour, memberApp, body['refresh_token']);
    expect(said(await pageOf('olivia'))).toEqual([
      'Sam Student signed in with Pocket School',
      'Sam Student allowed Pocket School all that it asked for',
    ]);
    expect(said(await pageOf('olivia', `${path}?all=yes`)).slice(0, 2)).toEqual([
      'Pocket School renewed its access for Sam Student',
      'Pocket School received access for Sam Student',
    ]);
    expect(said(await pageOf('olivia', `${connections}?client=${memberApp.id}`))).toEqual(said(await pageOf('olivia')));
    for (const [person, status] of [
      ['sam', 403],
      ['nora', 403],
    ] as const) {
      const { response, html } = await schools.browser(person).follow(schools.harbour + path);
      expect([response.status, said(html)]).toEqual([status, []]);
    }
    expect((await schools.browser().follow(schools.harbour + path)).url.pathname).toBe('/sign-in');
    expect(said((await schools.browser('olivia').follow(schools.summit + path)).html)).toEqual([]);
  });

  test('a call of a tool says what it was about, in the words of the host where it has some', async () => {
    const texts = {
      en: { 'did.create_course': '{client} created the course {about}, for {person}' },
      'zh-Hant': { 'did.create_course': '{client} 為 {person} 建立課程 {about}' },
    };
    const others = [
      { ...courseTool({ about: 'Rope' }), name: 'open_course', title: 'Open a course' },
      { ...courseTool({ about: 'x'.repeat(500) }), name: 'long' },
      { ...courseTool({ about: 7 }), name: 'wrong' },
    ];
    const log = await startWithLog({
      mcp: { tools: JSON.parse('0', () => [courseTool({ about: '<b>Rope</b>' }), ...others]) },
      campus: { pages: { texts } },
    });
    const token = await accessToken(schools, 'sam', memberApp);
    const narrow = await accessToken(schools, 'sam', memberApp, 'openid');
    for (const name of ['create_course', 'open_course', 'wrong']) await callTool(schools.harbour, name, {}, { token });
    await callTool(schools.harbour, 'create_course', {}, { token: narrow });
    expect(said(await pageOf('olivia')).slice(0, 4)).toEqual([
      'Pocket School was not allowed to use “Create a course”, for Sam Student',
      'Pocket School used “Create a course”, for Sam Student, and it failed',
      'Pocket School used “Open a course” on Rope, for Sam Student',
      'Pocket School created the course <b>Rope</b>, for Sam Student',
    ]);
    expect(said(await pageOf('olivia', everything, 'zh-Hant'))[3]).toContain('為 Sam Student 建立課程 <b>Rope');
    const answer = await callTool(schools.harbour, 'long', {}, { token });
    expect(JSON.stringify(answer)).not.toContain('xxx');
    expect(log[0]?.tool).toEqual({ name: 'long', outcome: 'succeeded', about: 'x'.repeat(200) });
    expect(String(schools.faults[0]?.cause)).toContain('about must be a string');
  });

  test('a text for a tool that is not there, or with another placeholder, is refused', async () => {
    await start();
    const withText = (key: string, text: string) =>
      startSchools({ mcp: { tools: [courseTool()] }, campus: { pages: { texts: { en: { [key]: text } } } } });
    await expect(withText('did.nothing', 'x')).rejects.toThrow(
      'pages.texts must not have did.nothing: the tool does not exist',
    );
    await expect(withText('did.create_course', '{course}')).rejects.toThrow('not have the placeholder {course}');
  });

  test('a service acts for nobody', async () => {
    const tool = { name: 'list_students', outcome: 'succeeded' } as const;
    const failed = { ...tool, outcome: 'refused' } as const;
    const did = ['token.issued', 'tool.called', 'tool.called', 'token.revoked'] as const;
    const used = [undefined, tool, failed, undefined];
    await start(() => did.map((action, i) => ({ ...event, action, memberId: undefined, tool: used[i] })));
    expect(said(await pageOf('olivia', `${path}?all=yes`))).toEqual([
      'Pocket School received access for the school',
      'Pocket School used “list students”',
      'Pocket School used “list students”, and it failed or was refused',
      'Pocket School ended its access',
    ]);
  });

  test('a name leads to the entries of its person or app, and back', async () => {
    const of = (eventId: string, changes: Partial<AuditEvent>): AuditEvent => ({ ...event, ...changes, eventId });
    const byNobody = { memberId: undefined, actor: { kind: 'anonymous' } } as const;
    const claude = { app: 'claude-code', clientId: 'reg-1' };
    await start(() => [
      of('5', { action: 'app.decided', actor: { kind: 'administrator', id: 'olivia' }, memberId: undefined }),
      of('4', { ...claude, memberId: 'olivia', actor: { kind: 'member', id: 'olivia' } }),
      of('3', { action: 'consent.narrowed', clientId: 'reg-1', memberId: 'sam' }),
      of('2', { action: 'registration.admitted', app: 'claude-code', clientId: 'reg-2', ...byNobody }),
      of('1', {}),
    ]);
    const all = await pageOf('olivia');
    expect(said(all)).toHaveLength(5);
    const linkTo = (name: string): string => readPage(all).getAllByRole('link', { name })[0]?.href ?? '';
    const ofClaude = await pageOf('olivia', linkTo('Claude Code'));
    expect(said(ofClaude)).toEqual([
      'Olivia Owner allowed Claude Code all that it asked for',
      'Sam Student allowed an app a part of what it asked for',
      'An app registered as Claude Code (technical)',
    ]);
    expect(readPage(ofClaude).text).toContain('Only entries of Claude Code · Open this app');
    const ofSam = await pageOf('olivia', linkTo('Sam Student'));
    expect(said(ofSam)).toHaveLength(2);
    expect(readPage(ofSam).text).toContain('Only entries of Sam Student');
    expect(readPage(ofSam).getByRole('link', { name: 'Show all entries' }).href).toBe(everything);
    expect(said(await pageOf('olivia', linkTo('Olivia Owner')))).toHaveLength(2);
    for (const query of ['?person=nobody', '?client=%00', '?app=constructor', '?person=sam&person=olivia']) {
      const { response } = await schools.browser('olivia').follow(schools.harbour + path + query);
      expect([query, response.status]).toEqual([query, 200]);
    }
    expect(await pageOf('olivia', `${path}?person=nobody`)).toContain('Nothing in the latest 500 entries.');
  });

  test('days and times are those of the school', async () => {
    const times = ['2024-11-22T15:30:00Z', '2024-11-22T16:30:00Z', '2024-11-23T06:34:00Z'].toReversed();
    await start(() => times.map((time) => ({ ...event, time })), {
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) => Object.assign({}, await platform.findSite(origin), { timeZone: 'Asia/Taipei' }),
      }),
    });
    const main = readPage(await pageOf('olivia')).getByRole('main');
    const shown = main.getAll(({ role, name }) => role === 'time' || (role === 'heading' && / \d+, \d{4}$/.test(name)));
    // The time has a narrow no-break space.
    expect(shown.map(({ text }) => text.replaceAll(/\s/g, ' '))).toEqual([
      'Nov 23, 2024',
      '2:34 PM',
      '12:30 AM',
      'Nov 22, 2024',
      '11:30 PM',
    ]);
  });

  test('the page of an app asks the log for its events, however many others are newer', async () => {
    const list = (_site: unknown, { client }: EventQuestion) => ({ events: client === memberApp.id ? [event] : [] });
    schools = await startSchools({ campus: { log: { list } } });
    await connect(schools.browser('sam'), schools.harbour, memberApp);
    const page = await pageOf('olivia', `${connections}?client=${memberApp.id}`);
    expect(said(page)).toEqual(['Sam Student allowed Pocket School all that it asked for']);
  });

  test('days and kinds are asked of the log, which says how far it has looked back', async () => {
    const asked: EventQuestion[] = [];
    const rows = [event, { ...event, eventId: 'two', time: '2024-03-05T08:00:00.000Z' }];
    schools = await startSchools({
      campus: {
        log: {
          list: (_site, question) => {
            asked.push(question);
            if (question.cursor !== undefined) return { events: rows.slice(1) };
            return { events: rows.slice(0, 1), next: 'older', lookedBackTo: new Date('2024-03-05T12:00:00Z') };
          },
        },
      },
      wrapPlatform: (platform) => ({
        ...platform,
        findSite: async (origin) =>
          Object.assign({}, await platform.findSite(origin), { timeZone: 'America/New_York' }),
      }),
    });
    const narrowed = `${path}?from=2024-03-03&to=2024-03-10&kind=connections&person=sam`;
    const page = readPage(await pageOf('olivia', narrowed));
    expect(asked[0]).toMatchObject({
      member: 'sam',
      from: new Date('2024-03-03T05:00:00Z'),
      // The clocks went forward on this day.
      to: new Date('2024-03-11T04:00:00Z'),
      actions: expect.arrayContaining(['consent.given', 'connection.ended']),
    });
    expect(asked[0]?.actions).not.toContain('tool.called');
    expect([page.getByLabelText('From').value, page.getByLabelText('Until').value]).toEqual([
      '2024-03-03',
      '2024-03-10',
    ]);
    expect(page.text).toContain('Looked back to Mar 5, 2024.');
    const further = page.getByRole('link', { name: 'Look further back' }).href;
    const last = readPage(await pageOf('olivia', further));
    expect(asked.at(-1)).toEqual({ ...asked[0], cursor: 'older' });
    expect(last.text).not.toContain('Looked back');
    expect(await pageOf('olivia', everything, 'zh-Hant')).toContain('查看更早的紀錄');
    await pageOf('olivia', `${path}?from=2024-02-31x&to=yesterday&cursor=${'x'.repeat(101)}`);
    expect(asked.at(-1)).toMatchObject({ limit: 500, actions: expect.arrayContaining(['consent.given']) });
  });

  test('an app and a client go on by themselves, each from its own place', async () => {
    const asked: EventQuestion[] = [];
    const list = (_site: Site, question: EventQuestion = {}) => {
      asked.push(question);
      return question.client === undefined || question.cursor !== undefined
        ? { events: [] }
        : { events: [event], next: 'client-2' };
    };
    schools = await startSchools({ campus: { log: { list } } });
    const first = readPage(await pageOf('olivia', `${path}?app=claude&client=${memberApp.id}`));
    const { href } = first.getByRole('link', { name: 'Look further back' });
    asked.length = 0;
    expect(readPage(await pageOf('olivia', href)).text).toContain('Nothing in the latest 500 entries.');
    expect(asked[0]).toMatchObject({ client: memberApp.id, cursor: 'client-2' });
  });

  test('an application that was removed keeps its name', async () => {
    await startWithLog();
    const site = harbourSite(schools.harbour);
    const { application } = await schools.campus.applications.create(site, {
      clientName: 'Notes',
      redirectUris: ['https://notes.example/cb'],
      scopes: ['openid'],
      confidential: true,
    });
    await schools.campus.applications.remove(site, application.clientId);
    expect(said(await pageOf('olivia'))).toEqual(['An administrator removed Notes', 'An administrator added Notes']);
  });
});

describe('whatever the log has', () => {
  const hostile = `${hostileName}"><script>alert(1)</script>`;

  test('names, ids and actions are text, bounded, and lead nowhere else', async () => {
    const long = 'x'.repeat(100_000);
    const actor = { kind: 'administrator', id: hostile };
    const tool = { name: hostile, outcome: hostile, about: hostile };
    await asRows([
      { ...event, action: hostile, reason: hostile, outcome: 'refused', clientId: hostile, memberId: hostile, actor },
      { ...event, action: 'tool.called', tool, app: hostile, clientId: 'https://"><script>.example/' },
      { ...event, action: 'application.removed', clientId: 'gone', clientName: hostile, actor },
      { ...event, action: 'constructor', reason: '__proto__', app: '__proto__', clientId: '__proto__' },
      { ...event, action: 'consent.denied', reason: 'constructor', clientId: long, memberId: long, app: long },
      { ...event, action: 'connection.ended', connections: Number.MAX_VALUE },
      { ...event, action: 'tool.called', tool: null, clientId: null, memberId: null, app: null, reason: null },
    ]);
    for (const at of [path, `${connections}?app=claude`, `${path}?client=${encodeURIComponent(hostile)}&all=yes`]) {
      const page = await pageOf('olivia', at);
      expect(page).not.toMatch(/<script|<img src=x|[\u202A-\u202E\u2066\u2067]|javascript:/);
      expect(Buffer.byteLength(page)).toBeLessThan(100_000);
      expect(page).not.toContain('Very long name '.repeat(6));
    }
    expect(said(await pageOf('olivia'))).toHaveLength(7);
    expect(schools.faults).toEqual([]);
  });

  test('500 events are read, and looked up is what one page shows, each once', async () => {
    const { store, calls } = countedStore();
    const asked: string[] = [];
    const rows = Array.from({ length: 600 }, (_, i) => ({
      ...event,
      clientId: `reg-${i % 50}`,
      memberId: `person-${i % 40}`,
    }));
    await asRows([...rows.slice(0, 500), { broken: true }], {
      campus: { store },
      wrapPlatform: (platform) => ({
        ...platform,
        findMember: (site, id) => {
          if (id.startsWith('person-')) asked.push(id);
          return platform.findMember(site, id);
        },
      }),
    });
    calls.length = 0;
    const first = await pageOf('olivia');
    expect(first).toContain('1–25 of 500');
    // One more call counts the open requests for the navigation.
    expect([calls.length, asked.length]).toEqual([26, 25]);
    expect(new Set(asked).size).toBe(25);
    expect(said(await pageOf('olivia', `${everything}&page=20`))).toHaveLength(25);
    expect(schools.faults).toEqual([]);
  });

  test('a person or app that cannot be looked up now is a fault, and somebody or an app on the page', async () => {
    await start(() => [event, { ...event, clientId: 'reg-gone', memberId: 'gone' }], {
      wrapPlatform: (platform) => ({
        ...platform,
        findMember: (site, id) => {
          if (id === 'sam') throw new Error('the directory is away');
          return platform.findMember(site, id);
        },
      }),
    });
    expect(said(await pageOf('olivia'))).toEqual([
      'Somebody allowed Pocket School all that it asked for',
      'Somebody allowed an app all that it asked for',
    ]);
    expect(schools.faults.map(({ message }) => message)).toEqual(['platform.findMember failed']);
  });
});

const failed = 'The log can’t be read right now.';

test('a log that cannot be read is a fault; the pages say so, and the rest of them is shown', async () => {
  await start(() => Promise.reject(new Error('the log is away')));
  for (const at of [path, `${connections}?app=claude`]) expect(await pageOf('olivia', at)).toContain(failed);
  readPage(await pageOf('olivia', connections)).getByRole('heading', { name: 'Apps', level: 1 });
  expect(schools.faults.map(({ message }) => message)).toContain('log.list failed');
});

test.each<[string, unknown, string]>([
  ['rows of a database', { rows: [event] }, ': an object; it must be an array of audit events'],
  ['nothing', null, ': null; it must be an array of audit events'],
  ['no event', [event, null], '[1]: null; it must be an object'],
  ['a time of a database', [{ ...event, time: new Date() }], '[0].time: an instance of Date; it must be a string'],
  ['no time', [{ ...event, time: 'yesterday' }], '[0].time: "yesterday"; it must be a time in ISO 8601'],
  ['an action of its own type', [{ ...event, action: 7 }], '[0].action: 7; it must be a string'],
  ['no outcome', [{ ...event, outcome: undefined }], '[0].outcome: undefined; it must be "allowed" or "refused"'],
  ['the actor as text', [{ ...event, actor: 'olivia' }], '[0].actor: "olivia"; it must be an object'],
  ['another actor', [{ ...event, actor: { kind: 'robot' } }], '[0].actor.kind: "robot"; it must be "member" or'],
  [
    'an event of another school',
    [event, { ...event, siteId: 'summit' }],
    '[1].siteId: "summit"; it must be the id of the requested school, "harbour"',
  ],
])('%s for the events is a fault, and the page says that they cannot be read', async (_what, rows, cause) => {
  await asRows(rows);
  const page = await pageOf('olivia');
  expect(page).toContain(failed);
  expect(said(page)).toEqual([]);
  expect(schools.faults.map(({ message }) => message)).toEqual(['log.list failed']);
  expect(String(schools.faults[0]?.cause)).toContain(`log.list() returned events${cause}`);
});

test('without the option Activity says what to do, and the connections have no such section', async () => {
  await start();
  expect(await pageOf('olivia')).toContain('the platform hasn’t connected its log yet');
  expect(await pageOf('olivia', connections)).not.toContain('Lately');
});
