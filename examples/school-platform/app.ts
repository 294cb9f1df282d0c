import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { auditLog, createCampus } from 'campus-oidc';
import { storedLog } from 'campus-oidc/log';
import { mcp } from 'campus-oidc/mcp';
import { memberApi } from 'campus-oidc/member-api';
import {
  knownDocuments,
  loopbackClients,
  metadataDocuments,
  vendorPlatforms,
  wellKnownVendors,
} from 'campus-oidc/policies';
import { classBoundary, classFields, classTools } from './class-access.ts';
import { createClasses } from './classes.ts';
import { createCourses } from './courses.ts';
import { openDatabase } from './database.ts';
import { demoGrants } from './grants.ts';
import { healthChecks } from './health.ts';
import { temporaryKeys } from './keys.ts';
import { schoolMemberData } from './member-data.ts';
import { schoolPlatform } from './platform.ts';
import { createQueries } from './queries.ts';
import { schoolPages } from './routes.ts';
import { schoolOrigins, seed } from './seed.ts';
import { createSessions } from './sessions.ts';
import { openStore } from './store.ts';
import { campusTexts } from './texts.ts';
import { schoolTools } from './tools.ts';

/** The demo platform, ready to be served at this port. */
export interface Demo {
  readonly app: Koa;
  readonly campus: ReturnType<typeof createCampus>;
  /** Says that this process is no longer ready for requests. */
  stopping(): void;
  close(): Promise<void>;
}

/** One line of JSON for each audit event. */
export const auditFile: string = process.env.AUDIT_LOG ?? join(tmpdir(), 'campus-oidc-audit.jsonl');

/** Makes the platform: its database, its pages, and campus-oidc in front of them. */
export async function createDemo({ port }: { readonly port: number }): Promise<Demo> {
  const database = openDatabase();
  await seed(database, schoolOrigins(port));
  const queries = createQueries(database);
  const sessions = createSessions(queries);
  const courses = createCourses(database);
  const classes = createClasses(database);
  const data = schoolMemberData(database, queries);
  const grants = demoGrants(queries);

  const storage = await openStore(process.env.DATABASE_URL ?? process.env.REDIS_URL);
  const campus = createCampus({
    platform: schoolPlatform({ queries, sessions }),
    store: storage.store,
    keys: await temporaryKeys(),
    clients: grants.clients,
    ...grants.options,
    registration: [vendorPlatforms(wellKnownVendors), loopbackClients()],
    metadataDocuments: metadataDocuments({ documents: knownDocuments }),
    // People can limit an app to some of their classes.
    boundaries: [classBoundary(classes)],
    memberApi: memberApi({ data, ...classFields(classes) }),
    // Applications can sign people out of the school, and learn that they signed out.
    logout: { endSession: (ctx) => sessions.end(ctx) },
    // Applications can know people by codes in place of their names. A real key is a secret, and never changes.
    pseudonyms: { key: 'this key is public, as everything of the demo' },
    mcp: mcp({
      tools: [...schoolTools(data, courses), ...classTools(classes), ...grants.tools],
      // MCP Inspector calls from a browser.
      origins: ['http://localhost:6274'],
    }),
    // What apps and people do: Activity shows it.
    log: storedLog(),
    pages: {
      gallery: '/gallery',
      texts: campusTexts,
    },
    // For load and conformance runs.
    ...(process.env.DEMO_LIMITS === 'off' && { limits: false }),
  });
  campus.events.on('fault', (event) => console.error('campus-oidc:', event.message, event.cause));
  const log = auditLog(auditFile);
  campus.events.on('audit', log);
  const reopen = (): void => void log.reopen(); // logrotate sends SIGHUP after it has renamed the file
  process.on('SIGHUP', reopen);

  const app = new Koa();
  const health = healthChecks(campus);
  app.use(health.middleware);
  app.use(campus.middleware());
  app.use(schoolPages(queries, sessions, campus));

  return {
    app,
    campus,
    stopping: () => health.stop(),
    async close() {
      await campus.close();
      process.off('SIGHUP', reopen);
      await log.close();
      await storage.close();
      database.close();
    },
  };
}
