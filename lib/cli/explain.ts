import type { PermissionReason } from '../core/access/explain.ts';
import type { Explanation, ExplainQuestion } from '../core/access/explain.ts';
import type { ExplainedReference } from '../core/access/explained-reference.ts';
import type { Campus } from '../public/campus.ts';
import { type Command, off, originOf, readLine, UsageError } from './command.ts';
import { failure } from './failure.ts';
import { withCampus } from './module.ts';
import type { Terminal } from './output.ts';

export const explain: Command = {
  help: `Usage: campus-oidc explain <module> --origin <origin> --client <client_id> [--member <id> | --email <address>] [--scope <scope>]... [--json]
       campus-oidc explain <module> --origin <origin> --app <id> [--member <id> | --email <address>] [--scope <scope>]... [--json]
       campus-oidc explain <module> --origin <origin> --reference <reference> [--json]

Explain what a client or app can do for a person at a school, or what happened to somebody who saw an error page. Import a module and ask the campus that it exports as "default"
or "campus". A TypeScript module needs a Node.js that strips types, or a loader in NODE_OPTIONS. The command makes no changes.

  --origin   the school, for example https://harbour.example
  --client   the client_id; for a metadata document, its URL
  --app      the id of a known app, for example claude, to see what its rules say
  --member   the person; without it, roles are not checked, and policies answer for a stranger
  --email    their e-mail address instead, if the platform has searchMembers
  --scope    a scope to ask for; may be repeated. Without it, all scopes that the client may ask for
  --reference
             the reference on the page, if the campus has a log
  --json     for apps

Exit codes: 0 it can be connected, or the log has the reference, 1 it cannot, or the log has not, 2 wrong usage, or the store or platform failed.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('explain', args, {
      json: off,
      origin: { type: 'string' },
      client: { type: 'string' },
      app: { type: 'string' },
      member: { type: 'string' },
      email: { type: 'string' },
      scope: { type: 'string', multiple: true },
      reference: { type: 'string' },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('name one module, for example: campus-oidc explain ./campus.ts');
    if (values.origin === undefined) throw new UsageError('name the school: --origin https://harbour.example');
    const origin = originOf(values.origin);
    const reference = referenceIn(values);
    const question = reference === undefined ? questionOf(values) : undefined;
    terminal.progress(`importing ${file}`);
    return withCampus(file, isCampus, async (campus) => {
      if (!question) {
        const found = await ask(() => campus.explain(origin, { reference: reference ?? '' }), origin);
        if (values.json) terminal.print(JSON.stringify(found));
        else printReference(found, origin, terminal);
        return found.events.length > 0 ? 0 : 1;
      }
      const explained = await ask(() => campus.explain(origin, question), origin);
      if (values.json) terminal.print(JSON.stringify(explained));
      else print(explained, terminal);
      return explained.outcome === 'allowed' || explained.outcome === 'view_only' ? 0 : 1;
    });
  },
};

/** What the command asks: any copy of a campus. */
type Explaining = Pick<Campus, 'explain' | 'close'>;

async function ask<T>(explained: () => Promise<T>, origin: string): Promise<T> {
  try {
    return await explained();
  } catch (error) {
    if (!(error instanceof TypeError && error.message.startsWith('explain.'))) throw failure(error);
    // What is wrong with an argument of the method was given on the command line.
    const isSite = error.message.startsWith('explain.site ');
    throw new UsageError(isSite ? `there is no school at ${origin}; return it from platform.findSite` : error.message);
  }
}

interface Values {
  readonly client?: string | undefined;
  readonly app?: string | undefined;
  readonly member?: string | undefined;
  readonly email?: string | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly reference?: string | undefined;
}

function referenceIn({ reference, client, app, member, email, scope }: Values): string | undefined {
  if (reference !== undefined && [client, app, member, email, scope].some((each) => each !== undefined))
    throw new UsageError('--reference goes without --client, --app, --member, --email and --scope: the log has them');
  return reference;
}

function questionOf({ client, app, member, email, scope }: Values): ExplainQuestion {
  const asked = { memberId: member, email, scopes: scope };
  if (client !== undefined && app === undefined) return { clientId: client, ...asked };
  if (app !== undefined && client === undefined) return { app, ...asked };
  throw new UsageError(
    'name one client or one app: --client <client_id> or --app <id>, or a reference: --reference <reference>',
  );
}

function isCampus(value: unknown): value is Explaining {
  return (
    typeof value === 'object' &&
    value !== null &&
    'close' in value &&
    'explain' in value &&
    typeof value.explain === 'function'
  );
}

function print(
  { outcome, scopes, waiting, approved, only = {}, limited, texts, reasons }: Explanation,
  terminal: Terminal,
): void {
  terminal.print(`${outcome}: ${scopes.length > 0 ? scopes.join(' ') : 'nothing'}`);
  if (waiting.length > 0) terminal.print(`  waits for an approval: ${waiting.join(' ')}`);
  if (approved) terminal.print(`  approved${madeBy(approved.at, approved.by)}`);
  for (const [type, ids] of Object.entries(only)) terminal.print(`  limited to ${ids.join(', ')} (${type})`);
  if (limited) terminal.print(`  a rule demands a limit (${limited.join(', ')})`);
  for (const reason of reasons) terminal.print(`  ${sentence(reason)}`, `     ${reason.change}`);
  for (const text of texts) terminal.print(`  the person reads: ${text}`);
}

function printReference(
  { reference, events, now, lookedBackTo }: ExplainedReference,
  origin: string,
  terminal: Terminal,
): void {
  if (events.length === 0) {
    const where = lookedBackTo ? `back to ${lookedBackTo.toISOString()}` : 'in all that it has';
    terminal.print(
      `the log has no event of ${origin} with the reference ${reference}; it was searched ${where}`,
      '  ask for the school and the day, and compare each character',
    );
  }
  for (const event of events) {
    const { time, action, outcome, reason, actor, memberId, clientId, app } = event;
    const who = memberId ?? actor.id ?? 'a person who is not known';
    const what = app === undefined ? clientId : `${app} (${clientId ?? 'no client'})`;
    terminal.print(`${time}  ${action} ${outcome}${reason === undefined ? '' : `: ${reason}`}`);
    terminal.print(`  ${who}, ${what ?? 'no client'}, request ${event.requestId ?? reference}`);
    for (const [name, value] of Object.entries(event.claimed ?? {}))
      terminal.print(`  the client said ${name}: ${JSON.stringify(value)}`);
  }
  if (now) terminal.print('now:');
  if (now) print(now, terminal);
}

function sentence({ code, text, from, since, by, note }: PermissionReason): string {
  const when = since === undefined ? '' : `, since${madeBy(since, by)}`;
  return `${code} (${from}${when}): ${text}${note === undefined ? '' : ` (${JSON.stringify(note)})`}`;
}

function madeBy(at: number, by: string | undefined): string {
  return ` ${new Date(at * 1000).toISOString()}${by === undefined ? '' : ` by ${by}`}`;
}
