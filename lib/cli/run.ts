import { version } from '../kernel/version.ts';
import { ownEntry } from '../kernel/own-entry.ts';
import { type Command, instead, UsageError } from './command.ts';
import type { Terminal } from './output.ts';

export const commands: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> = {
  doctor: {
    about: 'inspect a live school as clients do',
    load: async () => (await import('./doctor/command.ts')).doctor,
  },
  diagnose: {
    about: 'inspect a campus from the inside: store, keys, schools, clients',
    load: async () => (await import('./diagnose.ts')).diagnose,
  },
  explain: {
    about: 'explain what a client or app can do for a person at a school',
    load: async () => (await import('./explain.ts')).explain,
  },
  apps: {
    about: 'list and set what schools let apps do',
    load: async () => (await import('./school/apps.ts')).apps,
  },
  people: {
    about: 'show, export, disconnect and erase people',
    load: async () => (await import('./school/people.ts')).people,
  },
  applications: {
    about: 'list and remove OAuth applications of a school',
    load: async () => (await import('./school/applications.ts')).applications,
  },
  connections: {
    about: 'end connections by role or app, and take permissions from one',
    load: async () => (await import('./school/connections.ts')).connections,
  },
  requests: {
    about: 'list and decide what members ask their school for',
    load: async () => (await import('./school/requests.ts')).requests,
  },
  incident: {
    about: 'block an app at many schools, and undo it',
    load: async () => (await import('./school/incident.ts')).incident,
  },
  log: {
    about: 'list and export events, and apply them again after a restore',
    load: async () => (await import('./log.ts')).log,
  },
  keys: {
    about: 'create, rotate and show the keys in a file',
    load: async () => (await import('./keys/command.ts')).keys,
  },
  store: {
    about: 'create the tables of a SQL store, purge it, and copy one store to another',
    load: async () => (await import('./store/command.ts')).store,
  },
};

const help = `Usage: campus-oidc <command> [options]

${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(13)}${about}`)
  .join('\n')}

Run campus-oidc <command> --help for details. Exit codes: 0 no problems, 1 findings, 2 wrong usage or a refused step.`;

/** Runs a command line, without the name of the app. Returns the exit code, and never rejects. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(args, terminal);
  } catch (error) {
    const text =
      error instanceof UsageError ? error.message : String(error instanceof Error ? (error.stack ?? error) : error);
    terminal.complain(...text.split('\n'));
    return 2;
  }
}

async function run([name = '', ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (['', '-h', '--help', 'help'].includes(name)) {
    terminal.print(...help.split('\n'));
    return name === '' ? 2 : 0;
  }
  if (name === '--version') {
    terminal.print(version);
    return 0;
  }
  const entry = ownEntry(commands, name);
  if (!entry)
    throw new UsageError(
      `there is no command ${JSON.stringify(name)}; ${instead(name, Object.keys(commands), 'campus-oidc')}`,
    );
  const command = await entry.load();
  if (args.includes('--help') || args.includes('-h')) {
    terminal.print(...command.help.split('\n'));
    return 0;
  }
  return command.run(args, terminal);
}
