import type { ListedProgram } from '../../../core/decisions/program-rule.ts';
import type { ClientRow } from '../../../core/decisions/client-rows.ts';
import { csvDay, csvFile, type CsvFile } from '../../../pages/kit/csv.ts';

/** The clients of a list, as a table. */
export function clientsFile(clients: readonly ClientRow[]): CsvFile {
  return csvFile('connections', clients, [
    ['form.name', ({ clientName }) => clientName],
    ['form.clientId', ({ clientId }) => clientId],
    ['list.kind', ({ source }, t) => t.text(`list.kind.${source}`)],
    ['school.program', ({ program }) => program?.name ?? ''],
    ['list.audience', ({ audience }, t) => t.text(`list.audience.${audience}`)],
    ['list.status', ({ status }, t) => t.text(`status.${status}`)],
    ['school.people', ({ people }) => people],
    ['school.active', ({ lastActiveAt }) => csvDay(lastActiveAt)],
    ['school.blocked.since', ({ blockedAt }) => csvDay(blockedAt)],
  ]);
}

/** The programs of a list, with the rule in force. */
export function programsFile(programs: readonly ListedProgram[]): CsvFile {
  return csvFile('programs', programs, [
    ['form.name', ({ clientName }) => clientName],
    ['school.program', ({ program = '' }) => program],
    ['form.clientId', ({ clientId = '' }) => clientId],
    ['list.status', ({ status }, t) => t.text(`status.${status}`)],
    ['rule.roles', ({ rule: { roles = [] } }) => roles.join(', ')],
    ['school.people', ({ people }) => people],
  ]);
}
