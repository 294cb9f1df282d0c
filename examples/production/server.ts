import { createServer } from 'node:http';
import Koa from 'koa';
import { readForm } from '../school-platform/forms.ts';
import { healthChecks } from '../school-platform/health.ts';
import { safeReturnTo } from '../school-platform/return-to.ts';
import { campus, origin } from './campus.ts';
import { createTables, signIn } from './people.ts';
import { pool } from './store.ts';

await createTables();
const port = Number(process.env.PORT ?? 3001);

const app = new Koa();
// One proxy, nginx, sets X-Forwarded-Host, X-Forwarded-Proto and X-Forwarded-For.
app.proxy = true;
app.maxIpsCount = 1;

const health = healthChecks(campus);
app.use(health.middleware);
app.use((ctx, next) => {
  ctx.set('Process', String(port)); // which process answered; for looking at the example
  return next();
});
app.use(campus.middleware());

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

app.use(async (ctx) => {
  if (ctx.path !== '/sign-in') {
    if (ctx.path === '/') ctx.body = 'Harbour School\n';
    return;
  }
  ctx.set('Cache-Control', 'no-store');
  const form = ctx.method === 'POST' ? await readForm(ctx, origin) : new URLSearchParams(ctx.querystring);
  const returnTo = safeReturnTo(form.get('return_to'), origin);
  if (ctx.method === 'POST' && (await signIn(ctx, form.get('email') ?? '', form.get('password') ?? ''))) {
    ctx.status = 303;
    ctx.redirect(returnTo);
    return;
  }
  if (ctx.method === 'POST') ctx.status = 401;
  ctx.type = 'html';
  ctx.body = `<!doctype html><html lang="en"><title>Sign in – Harbour School</title><h1>Sign in to Harbour School</h1>
<form method="post" action="/sign-in"><input type="hidden" name="return_to" value="${escaped(returnTo)}">
<p><label>Email <input name="email" type="email" autocomplete="username" value="olivia@example.com"></label>
<p><label>Password <input name="password" type="password" autocomplete="current-password"></label>
<p><button>Sign in</button></form></html>`;
});

const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(port, process.env.HOST ?? '127.0.0.1', () => console.error(`process ${port} serves ${origin}`));

/** nginx sends new requests to the other process; those that run are finished. */
async function stop(): Promise<void> {
  health.stop();
  await new Promise((done) => {
    server.close(done);
    server.closeIdleConnections();
  });
  await campus.close();
  await pool.end();
}
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
