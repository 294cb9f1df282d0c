import type { Campus } from '../../public/campus.ts';
import type { NamedApp } from '../../core/apps/apps.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { ownEntry } from '../../kernel/own-entry.ts';
import { instead, off, originOf, readLine, UsageError } from '../command.ts';
import { carryOutOptions } from '../carry-out.ts';
import { failure } from '../failure.ts';
import { linesIn } from '../lines.ts';
import { withCampus } from '../module.ts';
import type { Terminal } from '../output.ts';

/** A campus of any copy of this package, as far as these commands use it. */
export type SchoolCampus = Pick<
  Campus,
  'applications' | 'apps' | 'people' | 'members' | 'connections' | 'requests' | 'incidents' | 'close'
>;

/** What may be given to the commands for the people who run a school. */
const options = {
  ...carryOutOptions,
  origin: { type: 'string' },
  schools: { type: 'string' },
  app: { type: 'string' },
  client: { type: 'string' },
  member: { type: 'string' },
  role: { type: 'string', multiple: true },
  scope: { type: 'string', multiple: true },
  search: { type: 'string' },
  access: { type: 'string' },
  ask: off,
  used: off,
  waiting: off,
  status: { type: 'string' },
  by: { type: 'string' },
  note: { type: 'string' },
  answer: { type: 'string' },
  id: { type: 'string' },
} as const;

export type Values = ReturnType<typeof readLine<typeof options>>['values'];

/** What an action of a command gets. */
export interface Given {
  readonly campus: SchoolCampus;
  readonly values: Values;
  readonly terminal: Terminal;
}

/** An action of a command, with the options that it takes beside `--json`. */
export interface Action {
  readonly takes: readonly (keyof Values)[];
  readonly run: (given: Given) => Promise<number>;
}

export const changes = ['dry-run', 'yes'] as const;

/** Runs an action: `campus-oidc <command> <action> <module> …`. */
export async function runAction(
  command: string,
  actions: Readonly<Record<string, Action>>,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const names = Object.keys(actions);
  const { values, positionals } = readLine(command, args, options);
  const [name = '', file, ...more] = positionals;
  const action = ownEntry(actions, name);
  if (!action)
    throw new UsageError(`name an action: ${names.join(' or ')}; ${instead(name, names, `campus-oidc ${command}`)}`);
  if (file === undefined || more.length > 0)
    throw new UsageError(`${command} ${name} needs one module, for example: ./campus.ts`);
  const wrong = Object.entries(values).find(
    ([option, value]) => value !== false && option !== 'json' && !action.takes.some((each) => each === option),
  );
  if (wrong) throw new UsageError(`${command} ${name} has no option --${wrong[0]}; see campus-oidc ${command} --help`);
  terminal.progress(`importing ${file}`);
  return withCampus(file, isCampus, (campus) =>
    action.run({ campus, values, terminal }).catch((error: unknown) => {
      throw isArgument(error) ? new UsageError(error.message) : failure(error);
    }),
  );
}

const methods = ['applications', 'apps', 'people', 'members', 'connections', 'requests', 'incidents', 'close'] as const;

function isCampus(value: unknown): value is SchoolCampus {
  return typeof value === 'object' && value !== null && methods.every((name) => name in value);
}

/** What a method refuses was given on the command line. */
function isArgument(error: unknown): error is TypeError {
  return error instanceof TypeError && methods.some((name) => error.message.startsWith(`${name}.`));
}

export function required<K extends keyof Values>(values: Values, name: K, example: string): NonNullable<Values[K]> {
  const value = values[name];
  if (value === undefined || value === null) throw new UsageError(`add --${name}, for example --${name} ${example}`);
  return value;
}

export function originIn(values: Values): string {
  return originOf(required(values, 'origin', 'https://harbour.example'));
}

export function appIn({ app, client }: Values): NamedApp | undefined {
  if (app !== undefined && client !== undefined) throw new UsageError('name an app or a client, not both');
  return client === undefined ? app : { clientId: client };
}

export function memberIn(values: Values): string {
  return required(values, 'member', 'sam');
}

export function isConnectionTo(app: NamedApp | undefined): (connection: Connection) => boolean {
  if (app === undefined) return () => true;
  return typeof app === 'string' ? (each) => each.app?.id === app : ({ clientId }) => clientId === app.clientId;
}

export function namedApp(values: Values): NamedApp {
  const app = appIn(values);
  if (app === undefined) throw new UsageError('name an app or a client: --app <id> or --client <client_id>');
  return app;
}

/** The one school of `--origin`, or those in the file of `--schools`: an origin a line. The file is not kept in memory. */
export async function* schoolsIn(values: Values): AsyncGenerator<string, void> {
  const { origin, schools } = values;
  if ((origin === undefined) === (schools === undefined))
    throw new UsageError('name one school or a file of schools: --origin https://harbour.example or --schools FILE');
  if (schools === undefined) yield originIn(values);
  else yield* originsIn(schools);
}

/** Longer than any origin. */
const maxOrigin = 2048;

async function* originsIn(file: string): AsyncGenerator<string, void> {
  for await (const { number, text } of linesIn(file, maxOrigin)) {
    if (text === '' || text.startsWith('#')) continue;
    try {
      yield originOf(text);
    } catch (error) {
      throw error instanceof UsageError ? new UsageError(`${file}, line ${number}: ${error.message}`) : error;
    }
  }
}

/** What became of schools. */
export interface SchoolCounts {
  readonly schools: number;
  readonly failed: number;
}

/** Does something at each school. One that fails is told, and the others go on. */
export async function atEachSchool(
  { values, terminal }: Pick<Given, 'values' | 'terminal'>,
  act: (origin: string) => Promise<void>,
): Promise<SchoolCounts> {
  let [schools, failed] = [0, 0];
  for await (const origin of schoolsIn(values)) {
    schools += 1;
    terminal.progress(`${schools} schools: ${origin}`);
    try {
      await act(origin);
    } catch (error) {
      if (values.schools === undefined) throw error;
      failed += 1;
      tellFailure(terminal, origin, error);
    }
  }
  return { schools, failed };
}

export function tellFailure(terminal: Terminal, origin: string, error: unknown): void {
  const shown = failure(error);
  terminal.complain(`${origin}: ${shown instanceof Error ? shown.message : String(shown)}`);
}

export function failedText(failed: number): string {
  return failed > 0 ? `, ${failed} schools failed` : '';
}

export function dateOf(seconds: number | undefined): string {
  return seconds === undefined ? 'never' : new Date(seconds * 1000).toISOString().slice(0, 10);
}
