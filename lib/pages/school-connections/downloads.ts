import type { ListedProgram } from '../../contracts/program.ts';
import type { ClientRow } from '../../connections/client-list.ts';
import { csvDay, type CsvFile } from '../kit/csv.ts';

/** The clients of a list, as a table. */
export function clientsFile(clients: readonly ClientRow[]): CsvFile {
  return {
    name: 'connections',
    rows: (t) => [
      [
        t.text('form.name'),
        t.text('form.clientId'),
        t.text('list.kind'),
        t.text('school.program'),
        t.text('list.audience'),
        t.text('list.state'),
        t.text('school.people'),
        t.text('school.active'),
        t.text('school.blocked.since'),
      ],
      ...clients.map(({ clientName, clientId, source, program, audience, state, people, lastActiveAt, blockedAt }) => [
        clientName,
        clientId,
        t.text(`list.kind.${source}`),
        program?.name ?? '',
        t.text(`list.audience.${audience}`),
        t.text(`list.state.${state}`),
        people,
        csvDay(lastActiveAt),
        csvDay(blockedAt),
      ]),
    ],
  };
}

const accesses = {
  allowed: 'list.state.allowed',
  approval: 'list.rule.waiting',
  blocked: 'list.state.blocked',
} as const;

/** The programs of a list, with the rule in force. */
export function programsFile(programs: readonly ListedProgram[]): CsvFile {
  return {
    name: 'programs',
    rows: (t) => [
      [
        t.text('form.name'),
        t.text('school.program'),
        t.text('form.clientId'),
        t.text('list.state'),
        t.text('rule.roles'),
        t.text('school.people'),
      ],
      ...programs.map(({ clientName, program = '', clientId = '', rule: { access, roles = [] }, people }) => [
        clientName,
        program,
        clientId,
        t.text(accesses[access]),
        roles.join(', '),
        people,
      ]),
    ],
  };
}
