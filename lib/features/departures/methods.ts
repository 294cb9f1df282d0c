import * as z from 'zod';
import { siteId, siteIdRule } from '../../host/checked-platform.ts';
import { schoolArgument, siteArgument } from '../../host/site-argument.ts';
import type { Arguments, ArgumentsOf } from '../../kernel/arguments.ts';
import { flag, group, type Shape, text } from '../../kernel/option-schemas.ts';
import type { Checks } from '../method-checks.ts';
import type { Parts } from '../parts.ts';
import { createDepartures } from './departures.ts';
import { replayer } from './replay.ts';
import type {
  DepartureMethods,
  LoggedEvents,
  Members,
  Removal,
  ReplayOptions,
  SiteRemoval,
  Sites,
} from './method-types.ts';

export function departureMethods(
  { settings: { catalogue }, log, core: { host, records, audit, news }, school }: Parts,
  checks: Checks,
): DepartureMethods {
  const { applications, requests, replay: replayApplication } = school.applications;
  const { connections, namedLimits } = school.connections;
  const { replayRule } = school.apps;
  const { sites, members, eraseAt } = createDepartures(
    { store: records.store, log, host, onAudit: audit.onAudit, requests, applications, namedLimits, news },
    connections,
  );
  return {
    sites: checks.methods('sites', sites, ofSites),
    members: checks.ofSchools('members', members, ofMembers),
    replay: checks.method(
      'replay',
      ofReplay,
      replayer({ store: records.store, catalogue, onAudit: audit.onAudit, replayRule, replayApplication, eraseAt }),
    ),
  };
}

/** Everything of this school goes: the empty id would be the space that all schools share. */
const leaving = siteArgument.refine(({ id: own }) => siteId.test(own), { error: siteIdRule, path: ['id'] });
const leavingOrOrigin = schoolArgument.refine((school) => typeof school === 'string' || siteId.test(school.id), {
  error: siteIdRule,
  path: ['id'],
});
const memberId = text();
const step = {
  removed: z.record(z.string(), z.number()),
  next: z.string().optional(),
} satisfies Shape<Removal>;
const siteStep = {
  ...step,
  removed: step.removed.optional(),
  stillServed: flag.optional(),
} satisfies Shape<SiteRemoval>;

const ofSites: ArgumentsOf<Sites> = {
  listRecords: { site: leaving },
  remove: { site: leaving, after: group(siteStep).optional() },
};

const ofReplay: Arguments = {
  events: z.custom<LoggedEvents>(isEvents, 'be events of the log, as an array or another iterable'),
  options: group({ since: z.date('be a Date'), dryRun: flag.optional() } satisfies Shape<ReplayOptions>),
};

function isEvents(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value);
}

const ofMembers: ArgumentsOf<Members> = {
  export: { site: schoolArgument, memberId },
  erase: { site: leavingOrOrigin, memberId, after: group(step).optional() },
};
