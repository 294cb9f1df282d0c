import type { IncidentReport, IncidentSchool } from '../../core/apps/incidents.ts';
import { carryOut, carryOutHelp, carryOutUsage, type Effect } from '../carry-out.ts';
import type { Command } from '../command.ts';
import {
  type Action,
  changes,
  type Given,
  namedApp,
  required,
  runAction,
  schoolsIn,
  tellFailure,
} from './school-command.ts';

export const incident: Command = {
  help: `Usage: campus-oidc incident block <module> (--schools <file> | --origin <origin>) --id <incident>
                               (--app <id> | --client <client_id>) [--by <person>] [--note <text>] ${carryOutUsage}
       campus-oidc incident restore <module> (--schools <file> | --origin <origin>) --id <incident> [--by <person>]
                               ${carryOutUsage}

Import a module and ask the campus that it exports as "default" or "campus".

  block      block an app at all schools, and end its connections. Safe to repeat: blocked schools are skipped.
  restore    restore the rule of each school, unless the school has changed it since. People connect again themselves.

  --schools  a file with an origin on each line; # begins a comment. Schools that fail are listed, and the others continue.
  --id       a name for the incident, such as INC-42; restore needs the same
  --note     a reason for the administrators of the schools
${carryOutHelp}

Exit codes: 0 done; 1 some schools failed, or stay blocked after 90 days; 2 wrong usage or a refused step.`,
  run: (args, terminal) => runAction('incident', actions, args, terminal),
};

type Step = (more: {
  readonly dryRun: boolean;
  readonly onSchool: (done: IncidentSchool) => void;
}) => Promise<IncidentReport>;

const actions: Readonly<Record<string, Action>> = {
  block: {
    takes: ['origin', 'schools', 'id', 'app', 'client', 'by', 'note', ...changes],
    async run(given) {
      const { campus, values } = given;
      const { by, note } = values;
      const block = { id: required(values, 'id', 'INC-42'), app: namedApp(values), by, note };
      return goThrough(given, 'blocked', (more) => campus.incidents.block(schoolsIn(values), { ...block, ...more }));
    },
  },
  restore: {
    takes: ['origin', 'schools', 'id', 'by', ...changes],
    async run(given) {
      const { campus, values } = given;
      const end = { id: required(values, 'id', 'INC-42'), by: values.by };
      return goThrough(given, 'restored', (more) => campus.incidents.restore(schoolsIn(values), { ...end, ...more }));
    },
  },
};

/** Reads the schools twice: once for the numbers, and once to do it. */
async function goThrough({ values, terminal }: Given, change: 'blocked' | 'restored', step: Step): Promise<number> {
  const run = async (dryRun: boolean): Promise<Effect> => {
    let schools = 0;
    const onSchool = ({ school, outcome, error }: IncidentSchool): void => {
      schools += 1;
      terminal.progress(`${schools} schools: ${school}`);
      if (outcome === 'failed') tellFailure(terminal, school, error);
    };
    return effectOf(await step({ dryRun, onSchool }), dryRun);
  };
  const plan = await run(true);
  return carryOut({ ...plan, isNothing: (plan.counts[change] ?? 0) === 0 }, values, terminal, () => run(false));
}

function effectOf({ schools, outcomes, ended, apps }: IncidentReport, dryRun: boolean): Effect {
  const named = apps ? ` (${apps.join(', ')})` : '';
  const all = Object.entries(outcomes).map(
    ([outcome, count]) => `${count} ${outcome}${outcome === 'restored' ? named : ''}`,
  );
  const what = dryRun ? 'connections to end' : 'connections ended';
  return {
    text: `${schools} schools: ${all.join(', ')}; ${ended} ${what}`,
    counts: { schools, ...outcomes, ended },
    isPartial: (outcomes.failed ?? 0) + (outcomes.expired ?? 0) > 0,
  };
}
