import type { Source } from './sources.ts';

/** A paragraph, list item, comment or message. */
export interface Passage {
  readonly path: string;
  readonly line: number;
  /** The text with its line ends as spaces. */
  readonly text: string;
  /** Where each line begins in the text. */
  readonly lineStarts: readonly number[];
}

/** The prose of a Markdown text, without code and the targets of links. */
export function markdownPassages({ path, text }: Source): Passage[] {
  const prose = text
    .replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, blank)
    .replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '`'))
    .replace(/\]\([^)]*\)/g, (target) => target.replace(/[^\n]/g, ']'));
  return split(path, prose, 0, /\n[ \t]*\n|\n(?=[ \t]*(?:[-*|]|\d+\.|#+)[ \t])|(?<=\|)/);
}

/** The comments and the messages of a source, without code in backquotes. */
export function sourcePassages({ path, text }: Source): Passage[] {
  const tokens =
    /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?:\/\/[^\n]*\n[ \t]*)+|\/\*[\s\S]*?\*\/|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*(?=[\s.,;)])/g;
  return [...text.matchAll(tokens)].flatMap(({ 0: token, index }) => {
    if (/^\/[^*/]/.test(token) || !/\w\s\w/.test(token)) return [];
    const isComment = token.startsWith('/');
    const marks = isComment ? /^\/\*+|\*+\/$|\/\/+|(?<=\n[ \t]*)\*+/g : /^['"`]|['"`]$|\\[n`]|\$\{[^}]*\}/g;
    const prose = withoutApps(token).replace(marks, (mark) => ' '.repeat(mark.length));
    const withoutCode = isComment ? prose.replace(/`[^`]*`/g, (code) => code.replace(/[^\n]/g, '`')) : prose;
    return split(path, withoutCode, text.slice(0, index).split('\n').length - 1, /\n[ \t]*\n|(?=[ \t]@\w)/);
  });
}

/** A script for Redis, or a statement in SQL, has its prose in comments. */
function withoutApps(token: string): string {
  if (
    !/\bredis\.call\(|\blocal function\b|^`(?:with|select|insert into|update|delete from|do update|create function) |^`\$\{[^}]*\},\s+\w+ as \(/.test(
      token,
    )
  )
    return token;
  return token.replace(/^(?!\s*--).*$/gm, (code) => ' '.repeat(code.length));
}

function split(path: string, text: string, linesBefore: number, separator: RegExp): Passage[] {
  let line = linesBefore + 1;
  return text.split(new RegExp(`(${separator.source})`)).flatMap((piece) => {
    const lines = piece.split('\n');
    const first = line;
    line += lines.length - 1;
    if (piece.trim() === '') return [];
    let end = 0;
    const lineStarts = lines.map((each) => (end += each.length + 1) - each.length - 1);
    return { path, line: first, text: lines.join(' '), lineStarts };
  });
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, '');
}
