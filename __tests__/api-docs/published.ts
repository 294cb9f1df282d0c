import Koa from 'koa';
import type { Route } from '../../lib/http/route.ts';
import { paths } from '../../lib/http/paths.ts';
import { partsOf } from '../../lib/public/campus.ts';
import { createRoutes } from '../../lib/routes.ts';
import { jsonResponse } from '../helpers/flow.ts';
import { type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { harbourSite } from '../helpers/sites.ts';
import { type Description, readDescription } from './description.ts';

/** What a school publishes of itself, and what it serves. */
export interface Published {
  readonly description: Description;
  /** Of the server, and of each protected resource: the address, and the members. */
  readonly metadata: readonly (readonly [path: string, document: Readonly<Record<string, unknown>>])[];
  readonly routes: readonly Route[];
}

/** The origin of the school, since linters refuse localhost. */
export const origin = 'https://harbour.school';

/** Starts a campus, reads its documents at an `https:` origin, and ends it. */
export async function publishedBy(options: SchoolsOptions): Promise<Published> {
  const schools = await startSchools({
    ...options,
    wrapPlatform: (platform) => ({
      ...platform,
      findSite: (asked) => (asked === origin ? harbourSite(asked) : platform.findSite(asked)),
    }),
    app: (made) => {
      const app = new Koa();
      app.proxy = true;
      return app.use(made.middleware());
    },
  });
  try {
    const { host } = new URL(origin);
    const headers = { 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
    const description = await readDescription(schools.harbour, headers);
    const parts = partsOf(schools.campus);
    if (!parts) throw new Error('a campus without parts');
    const { routes } = createRoutes(parts);
    const documents = routes.filter(
      ({ path }) =>
        path === paths.openidConfiguration ||
        path === paths.authorizationServer ||
        path.startsWith(paths.protectedResource),
    );
    const metadata = documents.map(async ({ path }) => {
      const { body } = await jsonResponse(await fetch(`${schools.harbour}${path}`, { headers }));
      return [path, body] as const;
    });
    return { description, metadata: await Promise.all(metadata), routes };
  } finally {
    await schools.close();
  }
}
