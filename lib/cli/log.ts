import { objectOf } from '../kernel/json.ts';
import { ownEntry } from '../kernel/own-entry.ts';
import { type AuditAction, type AuditEvent, isAction } from '../observe/audit-event.ts';
import type { Campus } from '../public/campus.ts';
import { carryOut, carryOutHelp, carryOutOptions, carryOutUsage, type Effect } from './carry-out.ts';
import { type Command, instead, originOf, readLine, UsageError } from './command.ts';
import { failure } from './failure.ts';
import { linesIn } from './lines.ts';
import { withCampus } from './module.ts';
import type { Terminal } from './output.ts';

export const log: Command = {
  help: `Usage: campus-oidc log list <module> --origin <origin> [--member <id>] [--app <id>] [--client <client_id>] [--action <action>]...
                       [--reference <reference>] [--from <time>] [--to <time>] [--cursor <cursor>] [--json]
       campus-oidc log export <module> [--from <time>]
       campus-oidc log replay <module> <file> --since <time> ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  list    print a page of events of a school, the newest first
  export  print all events of all schools, the oldest first: a JSON object on each line
  replay  apply again what a restored backup has undone: ended and narrowed connections, decisions on apps, removed applications,
          ended secrets, withdrawn requests, and erased people. It counts what is left to repeat by hand. The file is what export
          or auditLog wrote. It must begin before the backup.

  --since  the time of the backup, such as 2026-11-28T03:00:00Z
  --from   only events from this time on
${carryOutHelp}

Exit codes: 0 done; 2 wrong usage or a refused step.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('log', args, options);
    const [name = '', file, ...more] = positionals;
    const action = ownEntry(actions, name);
    if (!action)
      throw new UsageError(
        `name an action: list, export or replay; ${instead(name, Object.keys(actions), 'campus-oidc log')}`,
      );
    if (file === undefined) throw new UsageError(`log ${name} needs a module, for example: ./campus.ts`);
    terminal.progress(`importing ${file}`);
    return withCampus(file, isCampus, (campus) =>
      action({ campus, values, more, terminal }).catch((error: unknown) => {
        const isArgument = error instanceof TypeError && /^(?:log|replay)\./.test(error.message);
        throw isArgument ? new UsageError(error.message) : failure(error);
      }),
    );
  },
};

const options = {
  ...carryOutOptions,
  origin: { type: 'string' },
  member: { type: 'string' },
  app: { type: 'string' },
  client: { type: 'string' },
  action: { type: 'string', multiple: true },
  reference: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  cursor: { type: 'string' },
  since: { type: 'string' },
} as const;

type Replayed = Awaited<ReturnType<Campus['replay']>>;

interface Given {
  readonly campus: Pick<Campus, 'log' | 'replay' | 'close'>;
  readonly values: ReturnType<typeof readLine<typeof options>>['values'];
  /** What follows the module. */
  readonly more: readonly string[];
  readonly terminal: Terminal;
}

function isCampus(value: unknown): value is Given['campus'] {
  return typeof value === 'object' && value !== null && 'log' in value && 'replay' in value && 'close' in value;
}

const actions: Readonly<Record<string, (given: Given) => Promise<number>>> = {
  async list({ campus, values, terminal }) {
    const { origin, member, app, client, action, reference, from, to, cursor, json } = values;
    if (origin === undefined) throw new UsageError('name the school: --origin https://harbour.example');
    const page = await campus.log.list(originOf(origin), {
      member,
      app,
      client,
      actions: action?.map(actionOf),
      reference,
      from: timeIn(from, '--from'),
      to: timeIn(to, '--to'),
      cursor,
    });
    if (json) terminal.print(JSON.stringify(page));
    else terminal.print(...page.events.map(lineOf), ...(page.next ? [`more: --cursor ${page.next}`] : []));
    return 0;
  },
  async export({ campus, values, terminal }) {
    let [after, from] = ['', timeIn(values.from, '--from')];
    for (;;) {
      const { events, next } = await campus.log.read({ after, from, limit: 500 });
      terminal.print(...events.map((event) => JSON.stringify(event)));
      if (next === after) return 0;
      [after, from] = [next, undefined];
    }
  },
  async replay({ campus, values, more: [file, ...others], terminal }) {
    if (file === undefined || others.length > 0)
      throw new UsageError('log replay needs a module and one file, for example: ./campus.ts events.jsonl');
    const since = timeIn(values.since, '--since');
    if (!since) throw new UsageError('add --since, the time of the backup, for example --since 2026-11-28T03:00:00Z');
    const planned = await campus.replay(eventsIn(file), { since, dryRun: true });
    const plan = { ...effectOf('to apply again', planned), isNothing: amountsIn(planned).length === 0 };
    return carryOut(plan, values, terminal, async () =>
      effectOf('applied again', await campus.replay(eventsIn(file), { since })),
    );
  },
};

const replayedWords = [
  ['decisions', 'decisions'],
  ['connections', 'ends of connections'],
  ['narrowed', 'narrowed connections'],
  ['devices', 'ends of devices'],
  ['applications', 'changes of applications'],
  ['secrets', 'ends of secrets'],
  ['requests', 'withdrawn requests'],
  ['people', 'erased people'],
] as const;

function amountsIn(replayed: Replayed): string[] {
  return replayedWords.filter(([name]) => replayed[name] > 0).map(([name, words]) => `${replayed[name]} ${words}`);
}

function effectOf(done: string, replayed: Replayed): Effect {
  const left = Object.entries(replayed.byHand).map(([action, count]) => `${count} ${action}`);
  const byHand = left.length > 0 ? `; to repeat by hand: ${left.join(', ')} (docs/operate/incidents.md)` : '';
  return { text: `${done}: ${amountsIn(replayed).join(', ') || 'nothing'}${byHand}`, counts: { ...replayed } };
}

function actionOf(name: string): AuditAction {
  if (isAction(name)) return name;
  throw new UsageError(`there is no action ${JSON.stringify(name)}; docs/reference/events.md lists them`);
}

function timeIn(text: string | undefined, option: string): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`${option} must be a time such as 2026-11-28T03:00:00Z, not ${JSON.stringify(text)}`);
  return time;
}

/** Characters of a line: more than any event has. */
const maxLine = 1_000_000;

/** The events of a file, a line at a time. */
async function* eventsIn(file: string): AsyncGenerator<AuditEvent, void> {
  for await (const { number, text } of linesIn(file, maxLine)) {
    if (text === '') continue;
    const event = parsed(text);
    if (!isEvent(event)) throw new UsageError(`${file}, line ${number}: this is not an event`);
    yield event;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is AuditEvent {
  const { version, time, siteId, action, actor } = objectOf(value);
  const areTexts = [time, siteId, action].every((each) => typeof each === 'string');
  return (
    version === 1 && areTexts && !Number.isNaN(Date.parse(String(time))) && typeof actor === 'object' && actor !== null
  );
}

function lineOf({ time, action, outcome, actor, memberId, clientId, app, reason }: AuditEvent): string {
  const who = `${actor.kind}${actor.id === undefined ? '' : ` ${actor.id}`}`;
  return [time, action, outcome, who, memberId, app ?? clientId, reason]
    .filter((each) => each !== undefined)
    .join('  ');
}
