import { type Command, UsageError } from '../command.ts';
import { type Action, dateOf, originIn, runAction } from './school-command.ts';

export const requests: Command = {
  help: `Usage: campus-oidc requests list <module> --origin <origin> [--status <open|granted|declined|decided>] [--member <id>] [--json]

Import a module and ask the campus that it exports as "default" or "campus".

  list      print what members ask the school for, the latest first

  --status  only requests with this status. Without it, all
  --member  only the requests of one person
  --json    for apps

Exit codes: 0 done; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('requests', actions, args, terminal),
};

const statuses = ['open', 'granted', 'declined', 'decided'] as const;

const actions: Readonly<Record<string, Action>> = {
  list: {
    takes: ['origin', 'status', 'member'],
    async run({ campus, values, terminal }) {
      const status = statuses.find((each) => each === values.status);
      if (values.status !== undefined && !status)
        throw new UsageError(`--status must be ${statuses.join(', ')}, not ${values.status}`);
      const all = await campus.requests.list(originIn(values), { status, memberId: values.member });
      if (values.json) terminal.print(JSON.stringify({ requests: all }));
      else
        for (const { at, status: now, memberId, app, clientName, note } of all)
          terminal.print(
            `${dateOf(at)}  ${now.padEnd(8)}  ${memberId}  ${clientName} (${app})${note === '' ? '' : `: ${note}`}`,
          );
      return 0;
    },
  },
};
