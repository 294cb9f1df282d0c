import { postgresFindings } from '../../adapters/postgres/diagnose.ts';
import { redisFindings } from '../../adapters/redis/diagnose.ts';
import { sqliteFindings } from '../../adapters/sqlite/diagnose.ts';
import { campusFindings } from '../../lib/diagnose/findings.ts';
import { features } from '../../lib/features/features.ts';
import type { FindingTable } from '../../lib/kernel/finding.ts';
import { code, type ReferencePage, type ReferenceSection } from './page.ts';
import { rowComments } from './row-comments.ts';

/** What `campus.diagnose()` can find. */
export function findingsPage(): ReferencePage {
  const whenOf = rowComments('lib/{diagnose,features}/**/*.ts', 'adapters/*/diagnose.ts');
  const section = (title: string, table: FindingTable): ReferenceSection => ({
    title,
    entries: Object.entries(table).map(([name, [severity, fix]]) => ({
      heading: code(name),
      facts: [`**${severity}**`],
      text: `${whenOf(name)}\n\nFix: ${fix}.`,
    })),
  });
  return {
    file: 'docs/reference/findings.md',
    title: 'Findings',
    about,
    sections: [
      section('The campus, its schools and clients', campusFindings(features)),
      section('Redis', redisFindings),
      section('PostgreSQL', postgresFindings),
      section('SQLite', sqliteFindings),
    ],
  };
}

const about = `Look up what \`campus.diagnose()\` and [\`campus-oidc diagnose\`](../operate/commands.md) found, and what to do about it.

- **error**: something is broken or unsafe.
- **warning**: something may be broken or unsafe.
- **info**: no action needed.

\`\`\`ts
import type { Campus } from 'campus-oidc';

export async function report(campus: Campus): Promise<void> {
  for (const { severity, id, text, fix } of await campus.diagnose({ origins: ['https://harbour.example'] })) {
    console.log(severity, id, text, fix);
  }
}
\`\`\`

Without \`origins\`, \`diagnose\` checks the last 20 origins that this process has served. It only reads and takes some milliseconds. A finding
never contains a secret. Later releases keep the ids, but may change the texts. If you write a store, its method \`diagnose\` can return findings.`;
