import Koa from 'koa';
import {
  type AuditEvent,
  type Campus,
  type CampusOptions,
  createCampus,
  type SchoolPlatform,
} from '../../../lib/index.ts';
import { signingKey } from '../../helpers/keys.ts';
import { type HostApp, type Schools, startSchools } from '../../helpers/schools.ts';

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

/** Starts two releases with their options on one server; the first answers. */
export async function startReleases(
  first: ReleaseOptions,
  second: ReleaseOptions,
  wrapPlatform = (platform: SchoolPlatform): SchoolPlatform => platform,
): Promise<Releases> {
  const keys = { signing: [await signingKey('key-1')], cookies: ['a secret of the tests'] };
  const events: AuditEvent[] = [];
  let platform: SchoolPlatform | undefined;
  let current = 0;
  let campuses: readonly Campus[] = [];
  const schools = await startSchools({
    campus: first,
    wrapPlatform: (plain) => (platform = wrapPlatform(plain)),
    app: (campus): HostApp => {
      if (!platform) throw new Error('no platform');
      campuses = [campus, createCampus({ platform, keys, ...second })];
      const handlers = campuses.map((each) => new Koa().use(each.middleware()).callback());
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
