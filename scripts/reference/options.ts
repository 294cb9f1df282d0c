import * as z from 'zod';
import { openTelemetrySchema } from '../../adapters/opentelemetry/options.ts';
import { postgresStoreSchema } from '../../adapters/postgres/options.ts';
import { redisStoreSchema } from '../../adapters/redis/options.ts';
import { sourceSchema } from '../../lib/core/known-apps/sources.ts';
import { features } from '../../lib/features/features.ts';
import { hourlyLimitSchema } from '../../lib/kernel/hourly-limit.ts';
import { mcpSchema } from '../../lib/mcp/declare/options.ts';
import { memberApiSchema } from '../../lib/member/options.ts';
import { platformMembers } from '../../lib/options/instances.ts';
import { campusSchema, knownOf } from '../../lib/options/options.ts';
import { metadataDocumentsSchema } from '../../policies/documents/metadata-documents.ts';
import { loopbackClientsSchema } from '../../policies/loopback-clients.ts';
import { vendorsSchema } from '../../policies/vendors/vendor-platform.ts';
import type { JSONOutput } from '../../tools/docs/json.ts';
import { commentsOf } from './comment-text.ts';
import { findMember } from './members.ts';
import type { PublicApi } from './public-api.ts';

/** Options that are documented together. */
export interface OptionSection {
  readonly title: string;
  readonly options: readonly Option[];
}

/** An option: what its schema says, and what its TSDoc says. */
export interface Option {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Whether its members are options with places of their own. */
  readonly isGroup: boolean;
  /** The default of the schema. */
  readonly standard: unknown;
  /** What the TSDoc says that it means. */
  readonly meaning: string;
  /** The text after `@default`. */
  readonly saidStandard: string | undefined;
}

/** Where options are read and described. */
interface Source {
  readonly title: string;
  /** What the paths of its options start with. */
  readonly path: string;
  readonly schema: z.ZodType;
  /** The name of the TypeScript type, whose TSDoc says what the options mean. */
  readonly type: string;
}

const sources: readonly Source[] = [
  { title: 'createCampus(options)', path: '', schema: campusSchema(knownOf(features)), type: 'CampusOptions' },
  { title: 'HourlyLimit', path: '', schema: hourlyLimitSchema.meta({ type: 'object' }), type: 'HourlyLimit' },
  {
    title: 'SchoolPlatform',
    path: 'platform',
    schema: z.object(platformMembers),
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

/** The parts of a JSON Schema that are shown. */
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

/** All options: checks and defaults come from the schemas that read them, and meanings from the TSDoc of their types. */
export function optionSections(api: PublicApi): OptionSection[] {
  const declarations = [...api.entryPoints.flatMap((entry) => entry.exports), ...api.reached];
  return sources.map(({ title, path, schema, type }) => {
    const shown: Shown = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
    const declaration = declarations.find(({ name }) => name === type);
    return { title, options: optionsIn(shown, path, declaration && { type: 'reflection', declaration }, undefined) };
  });

  /** The options inside of one, whose default is `standard`. */
  function optionsIn(given: Shown, path: string, type: JSONOutput.SomeType | undefined, standard: unknown): Option[] {
    const { type: kind, items, properties = {}, required = [] } = detailed(given);
    if (kind === 'array' && items) return optionsIn(items, `${path}[]`, type, undefined);
    if (kind !== 'object') return [];
    return Object.entries(properties).flatMap(([name, member]) => {
      const inner = path === '' ? name : `${path}.${name}`;
      const { default: own = memberOf(standard, name) } = member;
      const described = type && findMember(api, type, name);
      const members = optionsIn(member, inner, described?.type, own);
      const comment = described && commentsOf(described)[0];
      const option = {
        path: inner,
        type: typeOf(member),
        isRequired: required.includes(name) && own === undefined,
        isGroup: members.length > 0 && !Array.isArray(own),
        standard: own,
        meaning: comment?.summary ?? '',
        saidStandard: comment?.tags.find(({ tag }) => tag === '@default')?.text,
      };
      return [option, ...members];
    });
  }
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

/** A value as it is written in code. */
export function codeOf(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
