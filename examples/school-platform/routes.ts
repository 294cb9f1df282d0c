import type { Context, Middleware } from 'koa';
import type { Campus, Site } from 'campus-oidc';
import { journeysOf, tryLocalApp } from './journeys.ts';
import { sendPage } from './layout.ts';
import { sendLogo } from './logo.ts';
import { callbackPage, homePage, messagePage } from './pages.ts';
import type { Queries } from './queries.ts';
import type { Sessions } from './sessions.ts';
import { signInHandlers } from './sign-in.ts';
import { languageOf, textsOf } from './texts.ts';

type Handler = (ctx: Context, school: Site) => void | Promise<void>;

/** The platform's own pages. */
export function schoolPages(queries: Queries, sessions: Sessions, campus: Pick<Campus, 'signedOut'>): Middleware {
  const { show, signIn, signOut } = signInHandlers(queries, sessions, campus);

  const home: Handler = (ctx, school) => {
    const session = sessions.current(ctx, school.id);
    const view = {
      school,
      schools: queries.everySchool(),
      member: session && queries.member(school.id, session.personId),
      people: queries.everyone(school.id),
      journeys: journeysOf(school),
      texts: textsOf(languageOf(ctx)),
    };
    sendPage(ctx, school.name, homePage(view));
  };

  const routes: ReadonlyMap<string, Handler> = new Map([
    ['GET /', home],
    ['GET /sign-in', show],
    ['POST /sign-in', signIn],
    ['POST /sign-out', signOut],
    ['GET /logo.svg', sendLogo],
    ['POST /try/local-app', tryLocalApp],
    ['GET /callback', (ctx) => sendPage(ctx, 'Back', callbackPage(new URLSearchParams(ctx.querystring)))],
  ]);

  return async (ctx) => {
    // In Koa 3, ctx.origin is the `Origin` header.
    const school = queries.school(`${ctx.protocol}://${ctx.host}`);
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const handler = routes.get(`${method} ${ctx.path}`);
    if (school && handler) {
      await handler(ctx, school);
    } else {
      ctx.status = 404;
      sendPage(ctx, 'Not found', messagePage('Not found', 'There is no page at this address.'));
    }
  };
}
