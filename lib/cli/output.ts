import { styleText } from 'node:util';

/** What a line is about. */
export type Mark = 'ok' | 'info' | 'warning' | 'error' | 'skipped';

const marks = {
  ok: ['ok', 'green'],
  info: ['info', 'cyan'],
  warning: ['warn', 'yellow'],
  error: ['FAIL', 'red'],
  skipped: ['skip', 'gray'],
} as const satisfies Record<Mark, readonly [string, string]>;

/** Where a command writes. Results go to standard output, progress and complaints to standard error. */
export interface Terminal {
  print(text: string): void;
  complain(text: string): void;
  /** A line that the next one replaces; nothing where no person looks on. */
  progress(text: string): void;
  /** The mark at the start of a line, coloured for a person. `NO_COLOR` and `FORCE_COLOR` are respected. */
  mark(mark: Mark): string;
}

export const terminal: Terminal = {
  print(text) {
    clear();
    process.stdout.write(`${text}\n`);
  },
  complain(text) {
    clear();
    process.stderr.write(`campus-oidc: ${text}\n`);
  },
  progress(text) {
    if (!process.stderr.isTTY) return;
    clear();
    process.stderr.write(text.slice(0, (process.stderr.columns || 80) - 1));
  },
  mark(mark) {
    const [text, colour] = marks[mark];
    return styleText(colour, text.padEnd(4), { stream: process.stdout });
  },
};

function clear(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}
