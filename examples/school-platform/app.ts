import Koa from 'koa';
import { createCampus } from 'campus-oidc';
import { loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from 'campus-oidc/policies';
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

interface Demo {
  readonly app: Koa;
  readonly campus: ReturnType<typeof createCampus>;
  close(): Promise<void>;
}

/** Creates the platform: its database, its own pages, and campus-oidc in front of them. */
export async function createDemo({ port }: { readonly port: number }): Promise<Demo> {
  const database = openDatabase();
  await seed(database, schoolOrigins(port));
  const queries = createQueries(database);
  const sessions = createSessions(queries);
  const courses = createCourses(database);
  const memberData = schoolMemberData(database, queries);
  const platform = schoolPlatform({ queries, sessions, courses, memberData });

  const storage = openStore(process.env.REDIS_URL);
  const campus = createCampus({
    platform,
    store: storage.store,
    keys: await temporaryKeys(),
    clients: demoClients,
    registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
    metadataDocuments: metadataDocuments({ hosts: ['claude.ai', 'vscode.dev'] }),
    tools: schoolTools(platform, courses),
    // MCP Inspector runs in a browser, at this origin.
    mcp: { origins: ['http://localhost:6274'] },
    // For load tests and conformance runs.
    ...(process.env.DEMO_LIMITS === 'off' && { limits: false }),
  });
  campus.events.on('fault', (event) => console.error('campus-oidc:', event.message, event.cause));

  const app = new Koa();
  app.use(campus.middleware());
  app.use(schoolPages(queries, sessions));

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
