import Koa from 'koa';
import {
  type AuditEvent,
  type Campus,
  type CampusOptions,
  createCampus,
  type SchoolPlatform,
} from '../../lib/index.ts';
import { signingKey } from './keys.ts';
import { type HostApp, type Schools, startSchools } from './schools.ts';

/** Two releases of a platform that share a store, one of which answers. */
export interface Releases {
  readonly schools: Schools;
  /** The campus that answers. */
  readonly campus: Campus;
  /** Of both. */
  readonly events: readonly AuditEvent[];
  /** From now on this one answers. */
  serve(release: 'first' | 'second'): void;
  close(): Promise<void>;
}

type ReleaseOptions = Partial<CampusOptions> & Pick<CampusOptions, 'store' | 'clients'>;

/** Starts two releases with their options on one server; the first answers. @param app - what is served around the middleware */
export async function startReleases(
  first: ReleaseOptions,
  second: ReleaseOptions,
  app: (campus: Campus) => HostApp = (campus) => new Koa().use(campus.middleware()),
): Promise<Releases> {
  const keys = { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] };
  const events: AuditEvent[] = [];
  let platform: SchoolPlatform | undefined;
  let campuses: readonly Campus[] = [];
  let current = 0;
  const schools = await startSchools({
    campus: first,
    wrapPlatform: (plain) => (platform = plain),
    app: (campus): HostApp => {
      if (!platform) throw new Error('no platform');
      campuses = [campus, createCampus({ platform, keys, ...second })];
      const handlers = campuses.map((each) => app(each).callback());
      return { callback: () => async (req, res) => handlers[current]?.(req, res) };
    },
  });
  for (const campus of campuses) campus.events.on('audit', (event) => events.push(event));
  return {
    schools,
    events,
    get campus() {
      return campuses[current] ?? schools.campus;
    },
    serve: (release) => void (current = release === 'first' ? 0 : 1),
    close: async () => {
      await campuses[1]?.close();
      await schools.close();
    },
  };
}
