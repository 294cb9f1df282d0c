import * as z from 'zod';
import { joined } from './check-each.ts';
import { nearest } from './misspelt.ts';

/** Where a value differs from its schema, and what it must be: words that follow "must". */
interface Problem {
  readonly path: readonly PropertyKey[];
  readonly demand: string;
  /** The valid names, for one that is not an option. */
  readonly known?: readonly string[] | undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object literal, or what JSON makes. An instance of a class is not. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The kind of a value, for a message that must not show the value. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== 'object') return value === '' ? 'an empty string' : `a ${typeof value}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return isPlain(value) ? 'an object' : `an instance of ${value.constructor?.name ?? 'a class'}`;
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);
}

// Options are read once, so compiling their schemas would cost more than it saves.
const context = { error: demandOf, jitless: true } as const;

/** Parses a value. Throws only what a getter of the value throws. */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem } {
  const { value: parsed, problems } = parseAll(schema, value);
  return problems ? { problem: problems[0] } : { value: parsed };
}

type Problems = readonly [Problem, ...Problem[]];

function parseAll<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly value: T; readonly problems?: undefined } | { readonly value?: undefined; readonly problems: Problems } {
  const { data, error } = schema.safeParse(value, context);
  return error ? { problems: problemsOf(error.issues) } : { value: data };
}

/** Checks and completes the options that are called `path`. @throws TypeError that names all that are wrong */
export function readOptions<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  let result: ReturnType<typeof parseAll<T>>;
  try {
    result = parseAll(schema, value);
  } catch (cause) {
    throw optionError(path || 'options', 'be readable, but a getter threw an error', cause);
  }
  if (!result.problems) return result.value;
  const errorOf = ({ path: at, demand, known }: Problem): TypeError =>
    known ? unknownOption(at, known, path) : optionError(pathText(at, path) || 'options', demand);
  const [first, ...others] = result.problems;
  throw joined(errorOf(first), others.map(errorOf));
}

export function unknownOption(path: readonly PropertyKey[], known: readonly string[], start: string): TypeError {
  const name = String(path.at(-1));
  const meant = nearest(name, known) ?? known.find((each) => name.length > 2 && each.toLowerCase().endsWith(name));
  const quoted = (at: readonly PropertyKey[]): string => JSON.stringify(pathText(at, start));
  const hint =
    meant === undefined
      ? `valid options: ${known.join(', ')}`
      : `did you mean ${quoted([...path.slice(0, -1), meant])}?`;
  return new TypeError(`unknown option ${quoted(path)}; ${hint}`);
}

/** For a function without options, to which plain JavaScript may pass some. @throws TypeError */
export function refuseArguments(name: string, given: readonly unknown[]): void {
  const wrong = given.find((argument) => argument !== undefined);
  if (wrong !== undefined) throw new TypeError(`${name} must be called without arguments, not with ${kindOf(wrong)}`);
}

export function optionError(path: string, demand: string, cause?: unknown): TypeError {
  return new TypeError(`${path} must ${demand}`, cause === undefined ? {} : { cause });
}

/** A path as JavaScript writes it: `pages.texts["zh-Hant"]`. */
export function pathText(path: readonly PropertyKey[], start = ''): string {
  return path.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`;
    const name = String(key);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${at}[${JSON.stringify(name)}]`;
    return at === '' ? name : `${at}.${name}`;
  }, start);
}

function problemsOf(issues: readonly z.core.$ZodIssue[]): Problems {
  // A misspelt name explains why another one is missing.
  const misspelt = issues.filter(({ code }) => code === 'unrecognized_keys');
  const [first, ...others] = (misspelt.length > 0 ? misspelt : issues).flatMap(problemsOfIssue);
  return first ? [first, ...others] : [{ path: [], demand: 'be different' }];
}

function problemsOfIssue(issue: z.core.$ZodIssue): readonly Problem[] {
  const { path, message: demand } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], demand, known: demand.split(', ') }));
  }
  // The last alternative of a union without a text of its own is the detailed one.
  const inner = issue.code === 'invalid_union' && demand === '' ? issue.errors.at(-1) : undefined;
  if (!inner) return [{ path, demand }];
  return problemsOf(inner).map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** What a schema without a text of its own demands. */
function demandOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') return `be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  if (issue.code === 'invalid_value') return `be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  if (issue.code === 'too_big') {
    return `have at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'items'}`;
  }
  if (issue.code === 'invalid_union') return '';
  if (issue.code !== 'unrecognized_keys') return undefined;
  // Not a demand, but the valid names.
  return issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape).join(', ') : '';
}
