// brand-the-pages.ts
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { Site } from 'campus-oidc';
import { createHarbour, origin, platform } from './harbour.ts';

// What `findSite` returns, from a table of yours.
const harbour: Site = {
  id: 'harbour',
  origin,
  name: 'Harbour School',
  connectionsEnabled: true,
  logoUrl: 'https://cdn.example/harbour.svg',
  colors: { accent: '#0b6e4f' },
  stylesheet: ':root { --campus-radius: 0rem; --campus-font: Georgia, serif }',
};
const campus = createHarbour({
  platform: { ...platform, findSite: (asked) => (asked === origin ? harbour : undefined) },
  pages: { texts: { en: { 'connected.title': 'Apps with access to your account' } } },
});

const server = createServer(campus.handler()).listen(new URL(origin).port);
await once(server, 'listening');
const page = await fetch(`${origin}/account/apps`, { headers: { cookie: platform.signIn('sam') } });
const html = await page.text();
for (const part of ['https://cdn.example/harbour.svg', '--campus-radius: 0rem', 'Apps with access to your account']) {
  console.log(`${html.includes(part) ? 'has' : 'lacks'} ${part}`);
}
server.close();
