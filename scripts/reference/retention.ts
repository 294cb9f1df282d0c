import { lifetimesSchema } from '../../lib/core/limits/limit-defaults.ts';
import { recordKinds } from '../../lib/records/record-kinds.ts';
import { storedLogSchema } from '../../lib/features/log/stored/stored-log.ts';
import { code, type ReferenceEntry, type ReferencePage } from './page.ts';
import { rowComments } from './row-comments.ts';

/** What a store keeps, and for how long. */
export function retentionPage(): ReferencePage {
  const commentOf = rowComments('lib/records/*record-kinds.ts');
  const entries = Object.entries(recordKinds).map(([name, { people }]) => ({
    heading: code(name),
    facts: people ? ['about a person'] : [],
    text: withDefaults(commentOf(name)),
  }));
  const sections = [
    { title: 'Records', entries },
    { title: 'Log', entries: [log] },
  ];
  return { file: 'docs/reference/retention.md', title: 'Retention', about, sections };
}

/** What `storedLog` keeps, beside the records. */
const log: ReferenceEntry = {
  heading: code('storedLog'),
  facts: ['about a person'],
  text: `With [a stored log](../guides/log.md): audit events, with the ids of members, network addresses, what a tool call was about (\`about\`), and what
refused apps say of themselves (\`claimed\`).

Kept ${storedLogSchema.parse({}).days} days (\`days\`), or until a newer event of its kind takes its room. \`campus.members.erase\` removes the person's events, and the id
and address from their decisions for the school. \`campus.sites.remove\` removes all events of the school.`,
};

/** Puts its default after each lifetime. */
function withDefaults(text: string): string {
  const defaults = new Map(Object.entries(lifetimesSchema.parse({})));
  return text.replaceAll(/`lifetimes\.(\w+)`/g, (named, name: string) => {
    const seconds = defaults.get(name);
    if (seconds === undefined) throw new Error(`${named} must be a lifetime`);
    return `${durationOf(seconds)} (${named})`;
  });
}

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function durationOf(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds % each === 0 && seconds >= each) ?? ['second', 1];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const about = `Look up what a store keeps about people and for how long, for GDPR and your privacy notice.

- The lifetimes are defaults. The option [\`lifetimes\`](options.md) changes them, for all schools or for one.
- A token stops working when its connection ends. SQL stores never use expired rows, and remove them within minutes.
- \`campus.members.erase\` removes the records about a person. It also removes their id and words from decisions for the school: \`Client\`, \`AppRule\`,
  \`AllowedPerson\` and \`AppRequest\`. See [Schools and people](../operate/schools-and-people.md).

A store also keeps the encrypted response of a refresh for ${durationOf(lifetimesSchema.parse({}).refreshGrace)} (\`lifetimes.refreshGrace\`), and counters of rate limits for an hour,
under an address, a network or a digest. Each process counts addresses and members in memory for the same time. You decide how long your listeners,
hooks and logs keep data.`;
