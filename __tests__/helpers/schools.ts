import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import { memoryStore } from '../../adapters/memory/index.ts';
import { campusOf, settingsOf } from '../../lib/campus.ts';
import type { Campus, CampusOptions, FaultEvent, SchoolPlatform } from '../../lib/index.ts';
import type { McpOptions } from '../../lib/mcp/index.ts';
import type { MemberApiOptions } from '../../lib/member/index.ts';
import type { Settings } from '../../lib/options/options.ts';
import { fakePlatform } from '../../lib/testing/fake-platform.ts';
import { Browser } from './browser.ts';
import { testClients, testResourceServers } from './clients.ts';
import { signingKey } from './keys.ts';
import { type People, testPeople } from './people.ts';
import { listen } from './server.ts';

/** Two schools on one server. */
export interface Schools {
  /** Origin of Harbour School: `http://localhost:port`. */
  readonly harbour: string;
  /** Origin of Summit School: `http://127.0.0.1:port`. */
  readonly summit: string;
  readonly campus: Campus;
  readonly people: People;
  readonly faults: FaultEvent[];
  /** A browser in which this person is signed in at the platform; without a name, no one is. */
  browser(person?: string, authTime?: number): Browser;
  close(): Promise<void>;
}

/** A Koa application, of whichever version. */
export interface HostApp {
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>;
}

/** How a test differs from the ordinary schools. */
export interface SchoolsOptions {
  /** Options, and settings that are no options. */
  readonly campus?: Partial<CampusOptions & Pick<Settings, 'engines' | 'testing'>>;
  /** Without it there is no Member API. */
  readonly memberApi?: MemberApiOptions | undefined;
  /** Without it there are no tools. */
  readonly mcp?: McpOptions | undefined;
  readonly platform?: Partial<SchoolPlatform>;
  /** Puts something in front of the ordinary platform. */
  readonly wrapPlatform?: (platform: SchoolPlatform) => SchoolPlatform;
  /** Makes the host application around the middleware. */
  readonly app?: (campus: Campus) => HostApp;
}

/** Options of schools with a Member API and tools, as they are by default. */
export const plugins = { memberApi: {}, mcp: {} } satisfies SchoolsOptions;

/** Starts the schools, on a `fakePlatform`. Its sign-in page says nothing. */
export async function startSchools(options: SchoolsOptions = {}): Promise<Schools> {
  const people = testPeople();
  const faults: FaultEvent[] = [];
  const [signing, loaded] = await Promise.all([signingKey('key-1'), pluginsOf(options)]);
  const { engines, testing, ...changes } = options.campus ?? {};
  let campus: Campus | undefined;
  const server = await listen((port) => {
    const sites = [
      { id: 'harbour', origin: `http://localhost:${port}`, name: 'Harbour School' },
      { id: 'summit', origin: `http://127.0.0.1:${port}`, name: 'Summit School' },
    ];
    const fake = fakePlatform({ schools: sites, people });
    const platform: SchoolPlatform = options.platform ? { ...fake, ...options.platform } : fake;
    const settings = settingsOf({
      platform: options.wrapPlatform?.(platform) ?? platform,
      store: memoryStore(),
      keys: { signing: [signing], cookies: ['a secret of the tests'] },
      clients: testClients,
      resourceServers: testResourceServers,
      ...loaded,
      ...changes,
    });
    campus = campusOf({ ...settings, ...(engines !== undefined && { engines }), testing });
    campus.events.on('fault', ({ message, cause }) => faults.push({ message, cause }));
    const handle = (options.app ?? plainApp)(campus).callback();
    return (req, res) => void handle(req, res);
  });
  if (!campus) throw new Error('no campus');
  const running = campus;
  return {
    harbour: `http://localhost:${server.port}`,
    summit: `http://127.0.0.1:${server.port}`,
    campus: running,
    people,
    faults,
    browser: (person, authTime) =>
      new Browser({ ...(person && { person }), ...(authTime && { auth_time: String(authTime) }) }),
    close: async () => {
      await running.close();
      await server.close();
    },
  };
}

/** The plug-ins that a test asks for. Loaded only then, since they are a third of what it would load. */
async function pluginsOf({ memberApi, mcp }: SchoolsOptions): Promise<Partial<CampusOptions>> {
  return {
    ...(memberApi && { memberApi: (await import('../../lib/member/index.ts')).memberApi(memberApi) }),
    ...(mcp && { mcp: (await import('../../lib/mcp/index.ts')).mcp(mcp) }),
  };
}

function plainApp(campus: Campus): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(campus.middleware());
  return app;
}
