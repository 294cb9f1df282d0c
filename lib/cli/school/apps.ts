import type { DecisionEffect, ListedApp } from '../../core/apps/apps.ts';
import { type AppRule, appAccesses, isSameRule } from '../../core/access/rule.ts';
import { carryOut, carryOutHelp, carryOutUsage, type Effect } from '../carry-out.ts';
import { type Command, UsageError } from '../command.ts';
import {
  type Action,
  atEachSchool,
  changes,
  dateOf,
  failedText,
  type Given,
  isConnectionTo,
  memberIn,
  namedApp,
  originIn,
  required,
  runAction,
  type Values,
} from './school-command.ts';

export const apps: Command = {
  help: `Usage: campus-oidc apps list <module> --origin <origin> [--used] [--waiting] [--json]
       campus-oidc apps show <module> --origin <origin> (--app <id> | --client <client_id>) [--json]
       campus-oidc apps set <module> (--origin <origin> | --schools <file>) (--app <id> | --client <client_id>)
                        --access <allowed|view_only|blocked> [--ask] [--role <role>]... [--scope <scope>]...
                        [--by <member>] [--note <text>] ${carryOutUsage}
       campus-oidc apps reset <module> (--origin <origin> | --schools <file>) (--app <id> | --client <client_id>)
                        [--by <member>] ${carryOutUsage}
       campus-oidc apps people <module> --origin <origin> (--app <id> | --client <client_id>) [--json]
       campus-oidc apps allow-person <module> --origin <origin> (--app <id> | --client <client_id>) --member <id>
                        [--by <member>] [--note <text>] ${carryOutUsage}
       campus-oidc apps reset-person <module> --origin <origin> (--app <id> | --client <client_id>) --member <id>
                        [--by <member>] ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  list     print the apps of a school, with their status and how many people have connected them.
  show     print one app, with the rule of the school.
  set      set the rule of the school. Connections that it refuses end: with more than
           500, each at its next refresh.
  reset    remove the rule of the school.
  people   print the people whom the school has allowed one by one.
  allow-person  allow one person to connect an app that asks for an approval, or that other roles can connect.
  reset-person  take that back. Connections of the person that the rules refuse end.

  --schools  a file with an origin on each line; # begins a comment. Schools that fail are listed, and the others continue.
  --used     only what people have connected
  --waiting  only what waits for a review
  --role     a role that may connect it; may be repeated. Without it, everyone
  --scope    a scope that it may get; may be repeated. Without it, all scopes
  --ask      require an approval for each person
  --by       the person who decides, for the log
  --note     a reason for the administrators of the school
${carryOutHelp}

Exit codes: 0 done; 1 some schools failed; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('apps', actions, args, terminal),
};

const target = ['app', 'client'] as const;

const ofPerson = ['origin', ...target, 'member', 'by', ...changes] as const;

const allowedPeople: Action = {
  takes: ['origin', ...target],
  async run({ campus, values, terminal }) {
    const allowed = await campus.apps.allowedPeople(originIn(values), namedApp(values));
    if (values.json) terminal.print(JSON.stringify({ people: allowed }));
    else
      for (const { memberId, at, by, note } of allowed)
        terminal.print(
          `${dateOf(at)}  ${memberId}${by === undefined ? '' : `  by ${by}`}${note === undefined ? '' : `: ${note}`}`,
        );
    return 0;
  },
};

const allowPerson: Action = {
  takes: [...ofPerson, 'note'],
  async run({ campus, values, terminal }) {
    const { by, note } = values;
    const [origin, app, memberId] = [originIn(values), namedApp(values), memberIn(values)];
    const allowed = await campus.apps.allowedPeople(origin, app);
    const isNothing = allowed.some((each) => each.memberId === memberId);
    const { clientName } = await campus.apps.find(origin, app);
    const text = `${memberId} to be allowed ${clientName} at ${origin}`;
    const plan = { text, counts: { people: isNothing ? 0 : 1 }, isNothing };
    return carryOut(plan, values, terminal, async () => {
      await campus.apps.allowPerson(origin, app, memberId, { by, note });
      return { text: `${memberId} is allowed ${clientName} at ${origin}`, counts: plan.counts };
    });
  },
};

const resetPerson: Action = {
  takes: ofPerson,
  async run({ campus, values, terminal }) {
    const [origin, app, memberId] = [originIn(values), namedApp(values), memberIn(values)];
    const allowed = await campus.apps.allowedPeople(origin, app);
    const isNothing = !allowed.some((each) => each.memberId === memberId);
    const connected = (await campus.connections.list(origin, memberId)).filter(isConnectionTo(app));
    const connections = isNothing ? 0 : connected.length;
    const text = `the permission of ${memberId} at ${origin} to take back; the rules decide about ${connections} connections`;
    return carryOut({ text, counts: { ended: connections, atRefresh: 0 }, isNothing }, values, terminal, async () => {
      const reset = await campus.apps.resetPerson(origin, app, memberId, { by: values.by });
      return {
        text: `the permission of ${memberId} is taken back, ${reset.ended} connections ended${laterText(reset)}`,
        counts: { ...reset },
      };
    });
  },
};

const actions: Readonly<Record<string, Action>> = {
  list: {
    takes: ['origin', 'used', 'waiting'],
    async run({ campus, values, terminal }) {
      const { used, waiting, json } = values;
      const listed = await campus.apps.list(originIn(values), { used, waiting });
      if (json) terminal.print(JSON.stringify({ apps: listed }));
      else for (const each of listed) terminal.print(line(each));
      return 0;
    },
  },
  show: {
    takes: ['origin', ...target],
    async run({ campus, values, terminal }) {
      const found = await campus.apps.find(originIn(values), namedApp(values));
      if (values.json) terminal.print(JSON.stringify(found));
      else terminal.print(line(found), ...details(found));
      return 0;
    },
  },
  set: {
    takes: ['origin', 'schools', ...target, 'access', 'ask', 'role', 'scope', 'by', 'note', ...changes],
    async run(given) {
      const { campus, values } = given;
      const { by, note } = values;
      const [app, rule] = [namedApp(values), ruleIn(values)];
      return change(given, {
        what: `where ${rule.access} is to be set`,
        // The school decides for itself, so that the end of an incident leaves its block.
        isDone: ({ own, incidents }) => own !== undefined && isSameRule(own, rule) && !incidents,
        act: (origin) => campus.apps.set(origin, app, rule, { by, note }),
      });
    },
  },
  reset: {
    takes: ['origin', 'schools', ...target, 'by', ...changes],
    async run(given) {
      const { campus, values } = given;
      const app = namedApp(values);
      return change(given, {
        what: 'where the rule is to be removed',
        isDone: ({ decided }) => decided === undefined,
        act: (origin) => campus.apps.reset(origin, app, { by: values.by }),
      });
    },
  },
  people: allowedPeople,
  'allow-person': allowPerson,
  'reset-person': resetPerson,
};

interface Change {
  readonly what: string;
  readonly isDone: (found: ListedApp) => boolean;
  readonly act: (origin: string) => Promise<DecisionEffect>;
}

/** Reads the schools twice: once for the numbers, and once to do it. */
async function change(given: Given, { what, isDone, act }: Change): Promise<number> {
  const { campus, values, terminal } = given;
  const app = namedApp(values);
  const planned = { schools: 0, connections: 0 };
  const found = await atEachSchool(given, async (origin) => {
    const listed = await campus.apps.find(origin, app);
    if (isDone(listed)) return;
    planned.schools += 1;
    planned.connections += listed.people;
  });
  const plan = {
    text: `${planned.schools} of ${found.schools} schools ${what}; people have ${planned.connections} connections there`,
    counts: { ...planned, failed: found.failed },
    isNothing: planned.schools === 0,
    isPartial: found.failed > 0,
  };
  return carryOut(plan, values, terminal, async (): Promise<Effect> => {
    const changed = { schools: 0, ended: 0, atRefresh: 0 };
    const { failed } = await atEachSchool(given, async (origin) => {
      if (isDone(await campus.apps.find(origin, app))) return;
      const { ended, atRefresh } = await act(origin);
      changed.ended += ended;
      changed.atRefresh += atRefresh;
      changed.schools += 1;
    });
    return {
      text: `${changed.schools} schools changed, ${changed.ended} connections ended${laterText(changed)}${failedText(failed)}`,
      counts: { ...changed, failed },
      isPartial: failed > 0,
    };
  });
}

function laterText({ atRefresh }: Pick<DecisionEffect, 'atRefresh'>): string {
  return atRefresh > 0 ? `, ${atRefresh} end at their next refresh if the rule refuses them` : '';
}

function ruleIn(values: Values): AppRule {
  const { role, scope, ask } = values;
  const given = required(values, 'access', 'blocked');
  const access = appAccesses.find((each) => each === given);
  if (!access) throw new UsageError(`--access must be ${appAccesses.join(', ')}, not ${given}`);
  return { access, ...(ask && { ask }), ...(role && { roles: role }), ...(scope && { scopes: scope }) };
}

function line({ app, clientId, clientName, status, people, lastActiveAt }: ListedApp): string {
  const id = clientId ?? app ?? '';
  return `${status.padEnd(14)} ${String(people).padStart(6)} people  ${id}  ${clientName}  (last active ${dateOf(lastActiveAt)})`;
}

function details({ rule, own, from, decided, incidents }: ListedApp): string[] {
  const by = decided && `${dateOf(decided.at)}${decided.by === undefined ? '' : ` by ${decided.by}`}`;
  return [
    `  in force  ${JSON.stringify(rule)} (${from})`,
    `  own       ${own ? JSON.stringify(own) : 'none'}`,
    ...(incidents ? [`  incidents ${incidents.join(', ')}`] : []),
    ...(by === undefined ? [] : [`  decided   ${by}${decided?.note === undefined ? '' : `: ${decided.note}`}`]),
  ];
}
