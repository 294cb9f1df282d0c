import { carryOut, carryOutHelp, carryOutUsage, type Effect } from '../carry-out.ts';
import { type Command, UsageError } from '../command.ts';
import {
  type Action,
  appIn,
  changes,
  dateOf,
  isConnectionTo,
  memberIn,
  originIn,
  runAction,
  type SchoolCampus,
} from './school-command.ts';

export const people: Command = {
  help: `Usage: campus-oidc people list <module> --origin <origin> [--role <role>] [--app <id> | --client <client_id>]
                          [--search <text>] [--json]
       campus-oidc people show <module> --origin <origin> --member <id> [--json]
       campus-oidc people export <module> --origin <origin> --member <id>
       campus-oidc people disconnect <module> --origin <origin> --member <id> [--app <id> | --client <client_id>]
                          ${carryOutUsage}
       campus-oidc people erase <module> --origin <origin> --member <id> ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  list        print people with what they have connected; with --json, a person on each line.
  show        print what one person has connected.
  export      print what is stored of a person, as JSON.
  disconnect  end all their connections, or those to one app.
  erase       remove what is stored of them.

  --search    a name or an address, where the platform has searchMembers
${carryOutHelp}

Exit codes: 0 done; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('people', actions, args, terminal),
};

const ofPerson = ['origin', 'member'] as const;

const actions: Readonly<Record<string, Action>> = {
  list: {
    takes: ['origin', 'role', 'app', 'client', 'search'],
    async run({ campus, values, terminal }) {
      const [role, ...more] = values.role ?? [];
      if (more.length > 0) throw new UsageError('people list takes one --role');
      const [origin, app] = [originIn(values), appIn(values)];
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const page = await campus.people.find(origin, { role, app, search: values.search, cursor });
        terminal.print(...page.people.flatMap((each) => (values.json ? JSON.stringify(each) : linesOf(each))));
        cursor = page.next;
      }
      return 0;
    },
  },
  show: {
    takes: ofPerson,
    async run({ campus, values, terminal }) {
      const memberId = memberIn(values);
      const all = await campus.connections.list(originIn(values), memberId);
      if (values.json) terminal.print(JSON.stringify({ memberId, connections: all }));
      else terminal.print(...linesOf({ memberId, connections: all, total: all.length }));
      return 0;
    },
  },
  export: {
    takes: ofPerson,
    async run({ campus, values, terminal }) {
      terminal.print(JSON.stringify(await campus.members.export(originIn(values), memberIn(values))));
      return 0;
    },
  },
  disconnect: {
    takes: [...ofPerson, 'app', 'client', ...changes],
    async run({ campus, values, terminal }) {
      const [origin, memberId, app] = [originIn(values), memberIn(values), appIn(values)];
      const all = await campus.connections.list(origin, memberId);
      const wanted = all.filter(isConnectionTo(app));
      const total = wanted.length;
      const plan = {
        text: `${total} connections of ${memberId} to end at ${origin}`,
        counts: { connections: total },
        isNothing: total === 0,
      };
      return carryOut(plan, values, terminal, async () => {
        if (app === undefined) return ended(await campus.connections.revokeAll(origin, memberId));
        let connections = 0;
        for (const { id } of wanted) connections += Number(await campus.connections.revoke(origin, memberId, id));
        return ended(connections);
      });
    },
  },
  erase: {
    takes: [...ofPerson, ...changes],
    async run({ campus, values, terminal }) {
      const [origin, memberId] = [originIn(values), memberIn(values)];
      const { connections, requests } = await campus.members.export(origin, memberId);
      const plan = {
        text: `all that is stored of ${memberId} at ${origin} to remove, with ${connections.length} connections and ${requests.length} requests`,
        counts: { connections: connections.length, requests: requests.length },
        isNothing: false,
      };
      return carryOut(plan, values, terminal, async () => {
        let step = await campus.members.erase(origin, memberId);
        while (step.next !== undefined) step = await campus.members.erase(origin, memberId, step);
        return { text: `all that was stored of ${memberId} at ${origin} is removed`, counts: plan.counts };
      });
    },
  },
};

function ended(connections: number): Effect {
  return { text: `${connections} connections ended`, counts: { connections } };
}

type Person = Awaited<ReturnType<SchoolCampus['people']['find']>>['people'][number];

function linesOf({ memberId, name, roles, connections, total }: Person): string[] {
  const known = [name, roles?.join(', ')].filter((each) => each !== undefined && each !== '').join('; ');
  const more = total > connections.length ? [`  and ${total - connections.length} more`] : [];
  return [
    `${memberId}${known === '' ? '' : ` (${known})`}: ${total} connections`,
    ...connections.map(
      ({ clientName, clientId, allowedAt, lastUsedAt, scopes }) =>
        `  ${clientName} (${clientId}), allowed ${dateOf(allowedAt)}, last used ${dateOf(lastUsedAt)}: ${scopes.join(' ')}`,
    ),
    ...more,
  ];
}
