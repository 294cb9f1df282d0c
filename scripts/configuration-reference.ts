import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { openTelemetrySchema } from '../adapters/opentelemetry/options.ts';
import { postgresStoreSchema } from '../adapters/postgres/options.ts';
import { redisStoreSchema } from '../adapters/redis/options.ts';
import { mcpSchema } from '../lib/mcp/declare/options.ts';
import { memberApiSchema } from '../lib/member/options.ts';
import { campusSchema, knownOf } from '../lib/options/options.ts';
import { features } from '../lib/features/features.ts';
import { hourlyLimitSchema } from '../lib/kernel/hourly-limit.ts';
import { operatorRolesSchema } from '../lib/options/instances.ts';
import { isFor, scopeCatalogue, type ScopeRow } from '../lib/core/scopes/scopes.ts';
import { metadataDocumentsSchema } from '../policies/documents/metadata-documents.ts';
import { loopbackClientsSchema } from '../policies/loopback-clients.ts';
import { sourceSchema } from '../lib/core/known-programs/sources.ts';
import { vendorsSchema } from '../policies/vendors/vendor-platform.ts';
import { type MemberDoc, tsDocOf } from './tsdoc.ts';

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
}

interface Section {
  readonly title: string;
  /** What the paths of its options start with. */
  readonly path: string;
  readonly schema: z.ZodType;
  /** The TypeScript type, whose TSDoc says what the options mean. */
  readonly type: string;
}

/** A row of the reference. */
export interface OptionRow {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether its members have rows of their own. */
  readonly isGroup: boolean;
  /** The default of the schema. */
  readonly standard: unknown;
  readonly doc: MemberDoc | undefined;
}

const sections: readonly Section[] = [
  { title: 'createCampus(options)', path: '', schema: campusSchema(knownOf(features)), type: 'CampusOptions' },
  { title: 'HourlyLimit', path: '', schema: hourlyLimitSchema.meta({ type: 'object' }), type: 'HourlyLimit' },
  {
    title: 'SchoolPlatform',
    path: 'platform',
    schema: z.object({ operatorRoles: operatorRolesSchema }),
    type: 'SchoolPlatform',
  },
  { title: 'The Member API', path: 'memberApi', schema: memberApiSchema, type: 'MemberApiOptions' },
  { title: 'The tool endpoint', path: 'mcp', schema: mcpSchema, type: 'McpOptions' },
  { title: 'loopbackClients(options)', path: '', schema: loopbackClientsSchema, type: 'LoopbackClientsOptions' },
  { title: 'metadataDocuments(options)', path: '', schema: metadataDocumentsSchema, type: 'MetadataDocumentsOptions' },
  { title: 'vendorPlatforms(platforms)', path: 'platforms', schema: vendorsSchema, type: 'VendorPlatform' },
  { title: 'VendorSource', path: '', schema: sourceSchema.meta({ type: 'object' }), type: 'VendorSource' },
  { title: 'redisStore(client, options)', path: '', schema: redisStoreSchema, type: 'RedisStoreOptions' },
  { title: 'postgresStore(pool, options)', path: '', schema: postgresStoreSchema, type: 'PostgresStoreOptions' },
  { title: 'openTelemetry(options)', path: '', schema: openTelemetrySchema, type: 'OpenTelemetryOptions' },
];

const findDoc = tsDocOf('lib', 'policies', 'adapters');

/** The reference of all options: from the schemas that read them, and the TSDoc of their types. */
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

function sectionText(section: Section): string {
  const rows = rowsOf(section).map((row) => {
    const meaning = (row.doc?.text ?? '').replaceAll('|', '\\|');
    return `| \`${row.path}\` | ${row.type} | ${defaultOf(row)} | ${meaning} |`;
  });
  return `## ${section.title}

| Option | Type | Default | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

/** A group has the defaults of its members, and only TSDoc can say what happens without an option. */
function defaultOf({ isRequired, isGroup, standard, doc }: OptionRow): string {
  if (isRequired) return 'required';
  if (standard === undefined) return doc?.standard?.replace(/^'(.*)'$/, '`"$1"`') ?? 'none';
  return isGroup ? '' : codeOf(standard);
}

/** All options, in the order of the reference. */
export function optionRows(): OptionRow[] {
  return sections.flatMap(rowsOf);
}

function rowsOf({ path, schema, type }: Section): OptionRow[] {
  const shown: Shown = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  return membersOf(shown, path, [type], undefined);
}

/** The rows of what is inside of an option; `standard` is the default of the whole. */
function membersOf(given: Shown, path: string, types: readonly string[], standard: unknown): OptionRow[] {
  const { type, items, properties = {}, required = [] } = detailed(given);
  if (type === 'array' && items) return membersOf(items, `${path}[]`, types, undefined);
  if (type !== 'object') return [];
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = path === '' ? name : `${path}.${name}`;
    const { default: own = memberOf(standard, name) } = member;
    const doc = findDoc(types, name);
    const members = membersOf(member, inner, doc?.types ?? [], own);
    const isGroup = members.length > 0 && !Array.isArray(own);
    const isRequired = required.includes(name) && own === undefined;
    return [{ path: inner, type: typeOf(member), isRequired, isGroup, standard: own, doc }, ...members];
  });
}

/** Of alternatives, the last one has the details. */
function detailed(schema: Shown): Shown {
  const last = schema.anyOf?.at(-1);
  return last ? detailed(last) : schema;
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
