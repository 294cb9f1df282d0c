import * as z from 'zod';
import type { EventLog } from '../../host/event-log.ts';
import type { Member, Site } from '../../host/school-platform.ts';
import type { Read } from '../../kernel/option-schemas.ts';
import { isObject } from '../../kernel/validate.ts';
import type { StoredLog } from '../../records/stored-log.ts';

/** The option of `createCampus` for a log of events. */
export interface LogOption<School extends Site = Site> {
  /**
   * The log that `campus.log` and the pages read: `storedLog(…)` of `campus-oidc/log`, or your own log, which you write from
   * `campus.events`. @default no log
   */
  readonly log?: StoredLog | EventLog<School> | undefined;
}

/** @internal */
export type GivenLog = StoredLog | EventLog;

/** @internal */
export function isStored(log: GivenLog): log is StoredLog {
  return 'open' in log;
}

function isLog(value: unknown): boolean {
  return isObject(value) && [value['open'], value['list']].some((method) => typeof method === 'function');
}

/** @internal */
export const logOption = {
  log: z
    .custom<GivenLog>(isLog, 'be what storedLog() of campus-oidc/log returns, or an object with the method list')
    .meta({ type: '`StoredLog` or `EventLog`' })
    .optional(),
};

/** @internal */
export type LogSettings = Read<typeof logOption>;

declare module '../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends LogOption<School> {}
  /** @internal */
  interface FeatureSettings extends LogSettings {}
}
