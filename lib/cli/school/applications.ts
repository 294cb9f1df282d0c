import { carryOut, carryOutHelp, carryOutUsage } from '../carry-out.ts';
import { type Command, UsageError } from '../command.ts';
import { type Action, changes, dateOf, originIn, required, runAction } from './school-command.ts';

export const applications: Command = {
  help: `Usage: campus-oidc applications list <module> --origin <origin> [--search <text>] [--json]
       campus-oidc applications remove <module> --origin <origin> --client <client_id> ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  list      print the OAuth applications and services of a school
  remove    remove one, with its secrets, keys and connections. This cannot be undone.

  --search  words in the name or the client_id
${carryOutHelp}

A terminal and its history are no place for a secret: create applications and secrets under Developers, or in code.

Exit codes: 0 done; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('applications', actions, args, terminal),
};

const actions: Readonly<Record<string, Action>> = {
  list: {
    takes: ['origin', 'search'],
    async run({ campus, values, terminal }) {
      const all = await campus.applications.list(originIn(values), { search: values.search });
      if (values.json) terminal.print(JSON.stringify({ applications: all }));
      else
        for (const { clientId, clientName, audience, status, people, lastActiveAt, createdBy } of all)
          terminal.print(
            `${status.padEnd(14)} ${String(people).padStart(6)} people  ${clientId}  ${clientName}  (${audience}${createdBy === undefined ? '' : `, created by ${createdBy}`}, last active ${dateOf(lastActiveAt)})`,
          );
      return 0;
    },
  },
  remove: {
    takes: ['origin', 'client', ...changes],
    async run({ campus, values, terminal }) {
      const [origin, client] = [originIn(values), required(values, 'client', 'app-1a2b')];
      const found = await campus.applications.find(origin, client);
      if (!found) throw new UsageError(`there is no application ${client} at ${origin}`);
      const connections = await campus.applications.connections(origin, client);
      const plan = {
        text: `the application ${found.clientName} (${client}) at ${origin} to remove, with ${connections} connections`,
        counts: { connections },
        isNothing: false,
      };
      return carryOut(plan, values, terminal, async () => {
        const removed = await campus.applications.remove(origin, client, { version: found.version });
        return {
          text: `the application ${found.clientName} is removed, ${removed.connections} connections ended`,
          counts: removed,
        };
      });
    },
  },
};
