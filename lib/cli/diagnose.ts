import type { Campus } from '../public/campus.ts';
import type { Finding } from '../kernel/finding.ts';
import { type Command, originOf, off, readLine, UsageError } from './command.ts';
import { withCampus } from './module.ts';
import type { Terminal } from './output.ts';

export const diagnose: Command = {
  help: `Usage: campus-oidc diagnose <module> [--origin <origin>]... [--json]

Import a module and inspect the campus that it exports as "default" or "campus": its store, keys, schools and clients. A
TypeScript module needs a Node.js that strips types, or a loader in NODE_OPTIONS. The command makes no changes.

  --origin  a school to look up, for example https://harbour.example; may be repeated. Without it, schools are not checked.
  --json    for apps

Exit codes: 0 no errors and warnings, 1 some, 2 wrong usage. docs/reference/findings.md lists the findings.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('diagnose', args, {
      json: off,
      origin: { type: 'string', multiple: true },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0)
      throw new UsageError('name one module, for example: campus-oidc diagnose ./campus.ts');
    const origins = values.origin?.map(originOf);
    terminal.progress(`importing ${file}`);
    const findings = await withCampus(file, isCampus, async (campus) => {
      terminal.progress('checking the store, the keys, the schools and the clients');
      return campus.diagnose(origins ? { origins } : {});
    });
    if (values.json) terminal.print(JSON.stringify({ findings }));
    else printFindings(findings, terminal);
    return findings.some(({ severity }) => severity !== 'info') ? 1 : 0;
  },
};

function isCampus(value: unknown): value is Pick<Campus, 'diagnose' | 'close'> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'close' in value &&
    'diagnose' in value &&
    typeof value.diagnose === 'function'
  );
}

function printFindings(findings: readonly Finding[], terminal: Terminal): void {
  for (const { id, severity, text, fix } of findings) {
    terminal.report(severity, `${id}: ${text}`);
    terminal.print(`     ${fix}`);
  }
  if (findings.length === 0) terminal.report('ok', 'no problems found');
}
