import { stripTypeScriptTypes } from 'node:module';
import type { Source } from './sources.ts';

/** A function of a file. */
export interface FunctionSpan {
  /** The line on which its parameters begin. */
  readonly line: number;
  /** Its lines, without those of template literals. */
  readonly lines: number;
}

/** Stands for a line end inside a template literal, which does not count. */
const templateLineEnd = '\v';

const notFunctions = new Set(['if', 'for', 'await', 'while', 'switch', 'catch', 'with']);

/** The functions, methods and arrow functions of a file. */
export function functionsOf({ text }: Source): FunctionSpan[] {
  const code = codeOf(stripTypeScriptTypes(text));
  return spansOf(code).map(([start, end]) => ({
    line: lineEnds(code.slice(0, start), /[\n\v]/g) + 1,
    lines: lineEnds(code.slice(start, end), /\n/g) + 1,
  }));
}

function lineEnds(code: string, pattern: RegExp): number {
  return code.match(pattern)?.length ?? 0;
}

/** JavaScript with the same lines, in which comments, strings, regular expressions and template text are blank. */
function codeOf(script: string): string {
  const pieces = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;
  const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
  // Braces that are open inside each `${…}` that we are in; empty outside of template literals.
  const substitutions: number[] = [];
  let code = '';
  let i = 0;
  const blank = (length: number, lineEnd = '\n'): void => {
    code += script
      .slice(i, i + length)
      .replace(/[^\n]/g, ' ')
      .replaceAll('\n', lineEnd);
    i += length;
  };
  const template = (): void => {
    const [text = ''] = /^(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/.exec(script.slice(i)) ?? [];
    blank(text.length, templateLineEnd);
    if (script[i] === '`') return blank(1);
    substitutions.push(0);
    blank(2);
  };
  while (i < script.length) {
    const character = script[i] ?? '';
    pieces.lastIndex = regularExpression.lastIndex = i;
    const slash = character === '/' ? regularExpression.exec(script)?.[0] : undefined;
    const piece = pieces.exec(script)?.[0] ?? (slash !== undefined && expectsValue(code) ? slash : undefined);
    const depth = substitutions.at(-1);
    if (piece !== undefined) blank(piece.length);
    else if (character === '`' || (character === '}' && depth === 0)) {
      if (character === '}') substitutions.pop();
      blank(1);
      template();
    } else {
      if (depth !== undefined && '{}'.includes(character)) {
        substitutions[substitutions.length - 1] = depth + (character === '{' ? 1 : -1);
      }
      code += character;
      i += 1;
    }
  }
  return code;
}

/** Whether a slash after this code begins a regular expression, and does not divide. */
function expectsValue(code: string): boolean {
  const before = code.trimEnd();
  return before === '' || /(?:[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|of|in))$/.test(before);
}

/** Where each function begins, with its parameters, and ends. */
function spansOf(code: string): [start: number, end: number][] {
  const partner = partners(code);
  return [...code.matchAll(/=>|\)\s*\{/g)].flatMap(({ index, 0: found }): [number, number][] => {
    if (found === '=>') return [[parametersBefore(code, partner, index), bodyEnd(code, partner, index + 2)]];
    const start = partner.get(index) ?? index;
    const [word = ''] = /[\w$]*$/.exec(code.slice(0, start).trimEnd()) ?? [];
    return notFunctions.has(word) ? [] : [[start, partner.get(index + found.length - 1) ?? index]];
  });
}

/** Where the parameters of an arrow function begin. */
function parametersBefore(code: string, partner: ReadonlyMap<number, number>, arrow: number): number {
  const end = code.slice(0, arrow).trimEnd().length - 1;
  return code[end] === ')' ? (partner.get(end) ?? arrow) : arrow;
}

/** Where the body of an arrow function ends: its bracket, or the end of the expression. */
function bodyEnd(code: string, partner: ReadonlyMap<number, number>, from: number): number {
  const start = from + (/\S/.exec(code.slice(from))?.index ?? 0);
  if (code[start] === '{') return partner.get(start) ?? start;
  let i = start;
  while (i < code.length && !',;)]}'.includes(code[i] ?? '')) i = (partner.get(i) ?? i) + 1;
  return i;
}

/** The place of the other bracket, for each bracket. */
function partners(code: string): Map<number, number> {
  const open: number[] = [];
  const partner = new Map<number, number>();
  for (const { index, 0: bracket } of code.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(bracket)) open.push(index);
    else {
      const start = open.pop() ?? index;
      partner.set(start, index).set(index, start);
    }
  }
  return partner;
}
