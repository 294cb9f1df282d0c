import Koa from 'koa';
import { createCampus } from 'campus-oidc';
import { mcp } from 'campus-oidc/mcp';
import { memberApi } from 'campus-oidc/member-api';
import {
  knownDocuments,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from 'campus-oidc/policies';
import { demoClients } from './clients.ts';
import { createCourses } from './courses.ts';
import { openDatabase } from './database.ts';
import { temporaryKeys } from './keys.ts';
import { schoolMemberData } from './member-data.ts';
import { schoolPlatform } from './platform.ts';
import { createQueries } from './queries.ts';
import { schoolPages } from './routes.ts';
import { schoolOrigins, seed } from './seed.ts';
import { createSessions } from './sessions.ts';
import { openStore } from './store.ts';
import { schoolTools } from './tools.ts';

/** The demo platform, ready to be served at this port. */
export interface Demo {
  readonly app: Koa;
  readonly campus: ReturnType<typeof createCampus>;
  close(): Promise<void>;
}

/** Makes the platform: its database, its pages, and campus-oidc in front of them. */
export async function createDemo({ port }: { readonly port: number }): Promise<Demo> {
  const database = openDatabase();
  await seed(database, schoolOrigins(port));
  const queries = createQueries(database);
  const sessions = createSessions(queries);
  const courses = createCourses(database);
  const data = schoolMemberData(database, queries);

  const storage = openStore(process.env.REDIS_URL);
  const campus = createCampus({
    platform: schoolPlatform({ queries, sessions }),
    store: storage.store,
    keys: await temporaryKeys(),
    clients: demoClients,
    registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
    metadataDocuments: metadataDocuments({ documents: knownDocuments }),
    memberApi: memberApi({ data }),
    // MCP Inspector calls from a browser.
    mcp: mcp({ tools: schoolTools(data, courses), origins: ['http://localhost:6274'] }),
    pages: { guide: true },
    // For load and conformance runs.
    ...(process.env.DEMO_LIMITS === 'off' && { limits: false }),
  });
  campus.events.on('fault', (event) => console.error('campus-oidc:', event.message, event.cause));

  const app = new Koa();
  app.use(campus.middleware());
  app.use(schoolPages(queries, sessions, campus.documents));

  return {
    app,
    campus,
    async close() {
      await campus.close();
      storage.close();
      database.close();
    },
  };
}
