import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { openTelemetrySchema } from '../adapters/opentelemetry/options.ts';
import { redisStoreSchema } from '../adapters/redis/options.ts';
import { mcpSchema } from '../lib/mcp/declare/options.ts';
import { memberApiSchema } from '../lib/member/options.ts';
import { campusSchema } from '../lib/options/options.ts';
import { operatorRolesSchema } from '../lib/options/platform.ts';
import { isFor, scopeCatalogue, type ScopeRow } from '../lib/protocol/scopes.ts';
import { metadataDocumentsSchema } from '../policies/documents/metadata-documents.ts';
import { loopbackClientsSchema } from '../policies/loopback-clients.ts';
import { vendorPlatformsSchema } from '../policies/vendors/vendor-platforms.ts';

export const configurationFile = 'docs/configuration.md';

/** The parts of a JSON Schema that the tables show. */
interface Shown {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shown[];
  readonly items?: Shown;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
}

interface Section {
  readonly title: string;
  /** What the paths of its options start with. */
  readonly path: string;
  readonly schema: z.ZodType;
}

const sections: readonly Section[] = [
  { title: 'createCampus(options)', path: '', schema: campusSchema },
  { title: 'SchoolPlatform', path: 'platform', schema: z.object({ operatorRoles: operatorRolesSchema }) },
  { title: 'The Member API', path: 'memberApi', schema: memberApiSchema },
  { title: 'The tool endpoint', path: 'mcp', schema: mcpSchema },
  { title: 'loopbackClients(options)', path: '', schema: loopbackClientsSchema },
  { title: 'metadataDocuments(options)', path: '', schema: metadataDocumentsSchema },
  { title: 'vendorPlatforms(platforms)', path: 'platforms', schema: vendorPlatformsSchema },
  { title: 'redisStore(client, options)', path: '', schema: redisStoreSchema },
  { title: 'openTelemetry(options)', path: '', schema: openTelemetrySchema },
];

/** The reference of all options, from the schemas that read them. */
export async function configurationReference(): Promise<string> {
  const text = `# Configuration

Written by \`npm run configuration\`; a test checks that it is up to date. An unknown option or a wrong value throws a
\`TypeError\` that names the option by its path: in the function that gets the option, for example \`mcp()\`.

${sections.map(sectionText).join('\n')}
${scopeTable()}`;
  return format(text, {
    ...(await resolveConfig(join(import.meta.dirname, '..', configurationFile))),
    parser: 'markdown',
  });
}

function scopeTable(): string {
  const all: readonly ScopeRow[] = scopeCatalogue;
  const rows = all.map(({ scope, text, ...row }) => {
    const audiences = (['operator', 'member'] as const).filter((audience) => isFor(audience, row));
    return `| \`${scope}\` | ${audiences.join(', ')} | ${text} |`;
  });
  return `## Scopes

The scopes of the specification; \`scopeCatalogue\` exports this table. [Scopes](scopes.md) says how to add your own, replace
texts and leave scopes out.

| Scope | Clients | The consent page says that the application can |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function sectionText({ title, path, schema }: Section): string {
  const shown: Shown = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  const rows = membersOf(shown, path, undefined);
  return `## ${title}

| Option | Type | Default | Meaning |
| --- | --- | --- | --- |
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
}

/** The rows of what is inside of an option; `standard` is the default of the whole. */
function membersOf(given: Shown, path: string, standard: unknown): string[][] {
  const { type, items, properties = {}, required = [] } = detailed(given);
  if (type === 'array' && items) return membersOf(items, `${path}[]`, undefined);
  if (type !== 'object') return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    const { default: own = memberOf(standard, name) } = member;
    const isRequired = required.includes(name) && own === undefined;
    const row = [`\`${inner}\``, typeOf(member), isRequired ? 'required' : codeOf(own), member.description ?? ''];
    const members = membersOf(member, inner, own);
    // A group whose members have defaults has no default of its own to show.
    if (members.length > 0 && !isRequired && typeof own === 'object' && !Array.isArray(own)) row[2] = '';
    return [row, ...members];
  });
}

/** Of alternatives, the last one has the details. */
function detailed(schema: Shown): Shown {
  return schema.anyOf?.at(-1) ?? schema;
}

function typeOf(schema: Shown): string {
  const { type = 'any', anyOf, enum: values, const: value, items } = schema;
  if (anyOf && schema.type === undefined) return anyOf.map(typeOf).join(' or ');
  if (value !== undefined) return codeOf(value);
  if (values) return values.map(codeOf).join(' or ');
  return type === 'array' && items ? `array of ${typeOf(items)}` : type;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function codeOf(value: unknown): string {
  return value === undefined ? 'none' : `\`${JSON.stringify(value)}\``;
}
