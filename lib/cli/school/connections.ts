import { carryOut, carryOutHelp, carryOutUsage } from '../carry-out.ts';
import { type Command, UsageError } from '../command.ts';
import {
  type Action,
  appIn,
  atEachSchool,
  changes,
  failedText,
  type Given,
  memberIn,
  originIn,
  required,
  runAction,
} from './school-command.ts';

export const connections: Command = {
  help: `Usage: campus-oidc connections end <module> (--origin <origin> | --schools <file>)
                               [--role <role>] [--app <id> | --client <client_id>] ${carryOutUsage}
       campus-oidc connections narrow <module> --origin <origin> --member <id> --client <client_id> --scope <scope>...
                               ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  end        end the connections of people who have a role now, of an app, or of both, for example at the end of a school
             year. People can connect the app again.
  narrow     take permissions from one connection of a person. Only the person can give them again.

  --schools  a file with an origin on each line; # begins a comment. Schools that fail are listed, and the others continue.
  --role     one role
  --scope    a permission to take away; may be repeated
${carryOutHelp}

Exit codes: 0 done; 1 some schools failed; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('connections', actions, args, terminal),
};

const narrow: Action = {
  takes: ['origin', 'member', 'client', 'scope', ...changes],
  async run({ campus, values, terminal }) {
    const [origin, memberId] = [originIn(values), memberIn(values)];
    const [clientId, scopes] = [required(values, 'client', 'app-1a2b'), required(values, 'scope', 'courses:write')];
    const found = (await campus.connections.list(origin, memberId)).find((each) => each.clientId === clientId);
    if (!found) throw new UsageError(`${memberId} has no connection to ${clientId} at ${origin}`);
    const lost = found.scopes.filter((scope) => scopes.includes(scope));
    if (lost.length === found.scopes.length)
      throw new UsageError(`that is all it has; use people disconnect --member ${memberId} --client ${clientId}`);
    const plan = {
      text: `${lost.join(' ') || 'nothing'} to take from ${found.clientName} (${clientId}) of ${memberId} at ${origin}`,
      counts: { scopes: lost.length },
      isNothing: lost.length === 0,
    };
    return carryOut(plan, values, terminal, async () => {
      const left = await campus.connections.narrow(origin, memberId, found.id, lost);
      return {
        text: `${found.clientName} of ${memberId} has ${left?.scopes.join(' ') ?? 'nothing'}`,
        counts: plan.counts,
      };
    });
  },
};

const actions: Readonly<Record<string, Action>> = {
  narrow,
  end: {
    takes: ['origin', 'schools', 'role', 'app', 'client', ...changes],
    async run(given) {
      const { values, terminal } = given;
      const [role, ...more] = values.role ?? [];
      const app = appIn(values);
      if (more.length > 0) throw new UsageError('connections end takes one --role');
      if (role === undefined && app === undefined)
        throw new UsageError('name whose connections to end: --role <role>, --app <id> or both');
      let planned = 0;
      const found = await atEachSchool(given, async (origin) => {
        planned += await countAt(given, origin, { role, app });
      });
      const plan = {
        text: `${planned} connections to end at ${found.schools} schools`,
        counts: { ...found, connections: planned },
        isNothing: planned === 0,
        isPartial: found.failed > 0,
      };
      return carryOut(plan, values, terminal, async () => {
        let ended = 0;
        const done = await atEachSchool(given, async (origin) => {
          ended += await endAt(given, origin, { role, app });
        });
        return {
          text: `${ended} connections ended at ${done.schools - done.failed} schools${failedText(done.failed)}`,
          counts: { ...done, connections: ended },
          isPartial: done.failed > 0,
        };
      });
    },
  },
};

type Wanted = Parameters<Given['campus']['connections']['end']>[1];

async function countAt({ campus }: Given, origin: string, { role, app }: Wanted): Promise<number> {
  if (role === undefined && app !== undefined) return (await campus.apps.find(origin, app)).people;
  let [count, cursor]: [number, string | undefined] = [0, ''];
  while (cursor !== undefined) {
    const { people, next } = await campus.people.find(origin, { role, app, cursor });
    count += people.reduce((sum, { total }) => sum + total, 0);
    cursor = next;
  }
  return count;
}

async function endAt({ campus, terminal }: Given, origin: string, of: Wanted): Promise<number> {
  let ended = 0;
  for (let cursor: string | undefined = of.role === undefined ? undefined : ''; ;) {
    const step = await campus.connections.end(origin, { ...of, cursor });
    ended += step.connections;
    terminal.progress(`${origin}: ${ended} connections ended`);
    if (step.next === undefined) return ended;
    cursor = step.next;
  }
}
