import type { Context } from 'koa';
import type { Campus, Site } from 'campus-oidc';
import { readForm } from './forms.ts';
import { sendPage } from './layout.ts';
import { type SignInView, signInPage } from './pages.ts';
import { verifyPassword } from './passwords.ts';
import type { Queries } from './queries.ts';
import { safeReturnTo } from './return-to.ts';
import type { Sessions } from './sessions.ts';
import { languageOf, textsOf } from './texts.ts';

export function signInHandlers(queries: Queries, sessions: Sessions, campus: Pick<Campus, 'signedOut'>) {
  function sendForm(ctx: Context, view: Omit<SignInView, 'people' | 'texts'>): void {
    const texts = textsOf(languageOf(ctx));
    const title = `${view.isWrong === true ? `${texts.wrong} – ` : ''}${texts.signIn} – ${view.school.name}`;
    sendPage(ctx, title, signInPage({ ...view, texts, people: queries.everyone(view.school.id) }));
  }

  /** `GET /sign-in`. With `reauthenticate`, signed-in visitors see the form too. */
  function show(ctx: Context, school: Site): void {
    const query = new URLSearchParams(ctx.querystring);
    const returnTo = safeReturnTo(query.get('return_to'), school.origin);
    if (query.get('reauthenticate') !== '1' && sessions.current(ctx, school.id)) {
      seeOther(ctx, returnTo);
    } else {
      sendForm(ctx, { school, returnTo, email: query.get('login_hint') ?? '' });
    }
  }

  /** `POST /sign-in`. */
  async function signIn(ctx: Context, school: Site): Promise<void> {
    const form = await readForm(ctx, school.origin);
    const returnTo = safeReturnTo(form.get('return_to'), school.origin);
    const email = (form.get('email') ?? '').trim();
    const person = queries.credentials(email);
    const matches = await verifyPassword(form.get('password') ?? '', person?.passwordHash);
    if (person && matches) {
      sessions.start(ctx, school.id, person.id);
      seeOther(ctx, returnTo);
    } else {
      ctx.status = 401;
      sendForm(ctx, { school, returnTo, email, isWrong: true });
    }
  }

  /** `POST /sign-out`. */
  async function signOut(ctx: Context, school: Site): Promise<void> {
    await readForm(ctx, school.origin);
    const session = sessions.current(ctx, school.id);
    sessions.end(ctx);
    // The applications of the person learn it.
    if (session) await campus.signedOut(school, session.personId, session.idHash);
    seeOther(ctx, '/');
  }

  return { show, signIn, signOut };
}

function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(address);
}
