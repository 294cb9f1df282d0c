import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createCampus } from 'campus-oidc';
import { memoryStore } from 'campus-oidc/adapters/memory';
import { defineTool, mcp } from 'campus-oidc/mcp';
import { memberApi } from 'campus-oidc/member-api';
import { loopbackClients } from 'campus-oidc/policies';
import Koa from 'koa';

const origin = `http://localhost:${process.env.PORT ?? 3000}`;
const school = { id: 'allegro', origin, name: 'Allegro Music School', connectionsEnabled: true };
const clara = { id: 'clara', name: 'Clara Wieck', email: 'clara@example.com', roles: ['owner'] };
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const instruments = [{ name: 'Cello no. 12', ownerId: clara.id }];
const lessons: { instrument: string; startsAt: string }[] = [];

const bookLesson = defineTool<{ readonly instrument: string; readonly startsAt: string }>({
  name: 'book_lesson',
  description: 'Books a lesson at this music school.',
  inputSchema: {
    type: 'object',
    properties: { instrument: { type: 'string', maxLength: 50 }, startsAt: { type: 'string', format: 'date-time' } },
    required: ['instrument', 'startsAt'],
  },
  access: { scopes: ['lessons:write'] },
  run(lesson) {
    lessons.push(lesson);
    return { structuredContent: { booked: lesson } };
  },
});

const campus = createCampus({
  platform: {
    findSite: (asked) => (asked === origin ? school : undefined),
    signedInMember: () => ({ memberId: clara.id }),
    signInUrl: (_ctx, _site, returnTo) => `${origin}/sign-in?return_to=${encodeURIComponent(returnTo)}`,
    findMember: (_site, memberId) => (memberId === clara.id ? clara : undefined),
  },
  store: memoryStore(),
  keys: { signing: [{ ...key, alg: 'ES256', kid: '2026-11' }], cookies: [randomUUID()] },

  scopes: {
    // What this school has of the specification. It sells nothing, for example.
    only: ['students:read', 'students:write', 'lecturers:read', 'events:read', 'events:write'],
    // `any`: also an app that acts for one member may ask for it.
    own: [
      {
        scope: 'instruments:read',
        area: 'Instruments',
        access: 'read',
        audience: 'any',
        text: 'View your instruments',
      },
      { scope: 'lessons:write', area: 'Lessons', access: 'write', text: 'Book and cancel lessons' },
    ],
  },
  pages: {
    texts: {
      // Another text for a scope of the specification.
      en: { 'scope.students:read': 'View pupils and what they play' },
      'zh-Hant': {
        'area.Instruments': '樂器',
        'area.Lessons': '個別課',
        'scope.instruments:read': '查看您的樂器',
        'scope.lessons:write': '預約與取消個別課',
        'scope.students:read': '查看學生及其演奏的樂器',
      },
    },
  },

  registration: [loopbackClients()], // an app that registers may ask for both
  mcp: mcp({ tools: [bookLesson] }),
  memberApi: memberApi({
    typeDefs: `
      type Instrument { name: String! }
      extend type Viewer { instruments: [Instrument!]! @requiresScopes(scopes: ["instruments:read"]) }
    `,
    resolvers: {
      Viewer: {
        instruments: (_viewer, _args, { viewer }) => instruments.filter(({ ownerId }) => ownerId === viewer.id),
      },
    },
  }),
});

const app = new Koa();
app.use(campus.middleware());
app.use(campus.requireAccess({ scopes: ['lessons:write'] })); // your own API: everything below
app.use((ctx) => {
  ctx.body = { lessons };
});
app.listen(new URL(origin).port, () => console.log(`${origin}/.well-known/oauth-authorization-server`));
