import type { SchoolApp } from '../domain/school-apps.ts';
import { csvDay, csvFile, type CsvFile } from '../../../pages/kit/csv.ts';

/** The apps of a list, as a table. */
export function appsFile(apps: AsyncIterable<readonly SchoolApp[]>): CsvFile {
  return csvFile('apps', apps, [
    ['form.name', ({ clientName }) => clientName],
    ['form.clientId', ({ clientId = '' }) => clientId],
    ['school.app', ({ app = '', known }) => known?.name ?? app],
    ['list.kind', ({ source }, t) => (source === undefined ? '' : t.text(`list.kind.${source}`))],
    ['list.audience', ({ audience }, t) => (audience === undefined ? '' : t.text(`list.audience.${audience}`))],
    ['list.status', ({ status }, t) => t.text(`status.${status}`)],
    ['rule.roles', ({ rule: { roles = [] } }) => roles.join(', ')],
    ['school.people', ({ people }) => people],
    ['school.active', ({ lastActiveAt }) => csvDay(lastActiveAt)],
    ['apps.decided', ({ decided }) => csvDay(decided?.at)],
  ]);
}
