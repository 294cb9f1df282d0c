import type { JsonSchema } from '../../plugin-contract/tools.ts';
import { isObject } from '../../kernel/validate.ts';

const oneObject =
  'write one object with all the arguments, and check in run which of them go together, or make several tools';
const inPlace = 'write each definition where it is used';

/** What apps refuse at the root of an input schema, with what to write in its place. */
const atRoot: Readonly<Record<string, string>> = {
  oneOf: oneObject,
  anyOf: oneObject,
  allOf: oneObject,
  not: oneObject,
  if: oneObject,
  dependentSchemas: oneObject,
};

/** What apps do not follow, at any depth. */
const anywhere: Readonly<Record<string, string>> = {
  $ref: inPlace,
  $dynamicRef: inPlace,
  $defs: inPlace,
  definitions: inPlace,
};

/** Keywords whose members are names of the embedder, not keywords. */
const ofNames: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** Keywords whose values are data. */
const ofData: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/** What JSON Schema allows in an input schema, and Claude Code or Gemini drop a tool for, each with what to write. */
export function* portabilityProblems(schema: JsonSchema): Generator<string> {
  for (const [keyword, advice] of Object.entries(atRoot)) {
    if (keyword in schema) yield `${keyword} at the root: ${advice}`;
  }
  const used = keywordsIn(schema);
  for (const [keyword, advice] of Object.entries(anywhere)) if (used.has(keyword)) yield `${keyword}: ${advice}`;
  if (!isObject(schema['properties']))
    yield 'no properties: write the arguments as properties, or properties: {} for none';
}

/** All keywords of a schema, at any depth. */
function keywordsIn(schema: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (Array.isArray(schema)) schema.forEach((each) => keywordsIn(each, found));
  if (!isObject(schema)) return found;
  for (const [keyword, value] of Object.entries(schema)) {
    found.add(keyword);
    if (ofData.has(keyword)) continue;
    if (!ofNames.has(keyword)) keywordsIn(value, found);
    else if (isObject(value)) Object.values(value).forEach((each) => keywordsIn(each, found));
  }
  return found;
}
