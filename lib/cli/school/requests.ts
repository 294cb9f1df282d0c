import type { AppRequest } from '../../core/applications/request.ts';
import { carryOut, carryOutHelp, carryOutUsage } from '../carry-out.ts';
import { type Command, UsageError } from '../command.ts';
import { type Action, changes, dateOf, type Given, originIn, required, runAction } from './school-command.ts';

export const requests: Command = {
  help: `Usage: campus-oidc requests list <module> --origin <origin> [--status <open|granted|declined|decided>] [--member <id>] [--json]
       campus-oidc requests grant <module> --origin <origin> --id <id> --client <client_id> [--by <member>] ${carryOutUsage}
       campus-oidc requests decline <module> --origin <origin> --id <id> [--answer <text>] [--by <member>] ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  list      print what members ask the school for, the latest first
  grant     answer a request with an application that exists. To let a person connect an app as it is, use apps allow-person.
  decline   decline a request

  --status  only requests with this status. Without it, all
  --member  only the requests of one person
  --id      the request, as list prints it
  --client  the client_id of the application
  --answer  what the member reads
  --by      the person who decides, for the log
${carryOutHelp}

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
      else terminal.print(...all.map(lineOf));
      return 0;
    },
  },
  grant: {
    takes: ['origin', 'id', 'client', 'by', ...changes],
    run: async (given) => {
      const { campus, values } = given;
      const client = required(values, 'client', 'app-1a2b');
      return decide(given, 'granted', ({ id, version }) =>
        campus.requests.grant(originIn(values), id, client, { by: values.by, version }),
      );
    },
  },
  decline: {
    takes: ['origin', 'id', 'answer', 'by', ...changes],
    run: async (given) => {
      const { campus, values } = given;
      const { answer, by } = values;
      return decide(given, 'declined', ({ id, version }) =>
        campus.requests.decline(originIn(values), id, answer, { by, version }),
      );
    },
  },
};

function lineOf({ at, status, id, memberId, app, clientName, note }: AppRequest): string {
  return `${dateOf(at)}  ${status.padEnd(8)}  ${id}  ${memberId}  ${clientName} (${app})${note === '' ? '' : `: ${note}`}`;
}

/** What is decided on is what was shown: a request that the member has changed meanwhile is refused. */
async function decide(
  { campus, values, terminal }: Given,
  status: 'granted' | 'declined',
  act: (request: AppRequest) => Promise<unknown>,
): Promise<number> {
  const id = required(values, 'id', 'a1b2c3');
  const found = await campus.requests.find(originIn(values), id);
  if (!found) throw new UsageError(`there is no request ${id}; campus-oidc requests list prints the ids`);
  const plan = {
    text: `the request of ${found.memberId} for ${found.clientName} to be ${status}`,
    counts: { requests: 1 },
    isNothing: found.status === status,
  };
  return carryOut(plan, values, terminal, async () => {
    await act(found);
    return { text: `the request of ${found.memberId} for ${found.clientName} is ${status}`, counts: plan.counts };
  });
}
