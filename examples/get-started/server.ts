// server.ts
import Koa from 'koa';
import { campus, origin } from './campus.ts';

const app = new Koa();
app.use(campus.middleware());
app.listen(new URL(origin).port, () => console.log(`${origin}/.well-known/openid-configuration`));
