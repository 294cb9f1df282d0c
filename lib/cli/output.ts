import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { styleText } from 'node:util';

export type Mark = 'ok' | 'info' | 'warning' | 'error' | 'skipped';

const marks = {
  ok: ['ok', 'green'],
  info: ['info', 'cyan'],
  warning: ['warn', 'yellow'],
  error: ['FAIL', 'red'],
  skipped: ['skip', 'gray'],
} as const satisfies Record<Mark, readonly [string, string]>;

/**
 * Where a command writes. Results go to standard output, progress and complaints to standard error. No text, whether from a server,
 * a file or a module, brings escapes or a further line.
 */
export interface Terminal {
  print(...lines: readonly string[]): void;
  /** One line that begins with a mark, coloured for a person. `NO_COLOR` and `FORCE_COLOR` are respected. */
  report(mark: Mark, text: string): void;
  complain(...lines: readonly string[]): void;
  /** What a person should know before the result. */
  note(text: string): void;
  /** What a person answers, in one line; `undefined` where nobody is at a terminal. */
  ask(question: string): Promise<string | undefined>;
  /** A line that the next one replaces; nothing where no person looks on. */
  progress(text: string): void;
}

/** As much of a stream as a terminal needs. */
interface Writes {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** What a process has. */
interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  readonly out: Writes;
  readonly err: Writes;
}

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string;

const paintForPerson: Paint = (colour, text) => styleText(colour, text, { stream: process.stdout });

export function terminalOn({ input, out, err }: Streams, paint: Paint = paintForPerson): Terminal {
  const clear = (): void => {
    if (err.isTTY) err.write('\r\u001B[K');
  };
  const write = (stream: Writes, lines: readonly string[]): void => {
    clear();
    for (const line of lines) stream.write(`${printable(line)}\n`);
  };
  return {
    print: (...lines) => write(out, lines),
    report(mark, text) {
      const [name, colour] = marks[mark];
      clear();
      out.write(`${paint(colour, name.padEnd(4))} ${printable(text)}\n`);
    },
    complain: (first = '', ...more) => write(err, [`campus-oidc: ${first}`, ...more]),
    note: (text) => write(err, [text]),
    async ask(question) {
      if (!input.isTTY || !err.isTTY) return undefined;
      clear();
      err.write(`${printable(question)} `);
      for await (const line of createInterface({ input })) return line;
      return '';
    },
    progress(text) {
      if (!err.isTTY) return;
      clear();
      err.write(printable(text).slice(0, (err.columns || 80) - 1));
    },
  };
}

/**
 * One line without anything that a terminal obeys or that reorders or hides what it shows: C0, C1, formatting characters such as
 * those of Unicode bidi, line and paragraph separators. Each is written as JSON would, so JSON stays the same JSON.
 */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
