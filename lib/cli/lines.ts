import { createReadStream } from 'node:fs';
import { UsageError } from './command.ts';
import { failure } from './failure.ts';

/** A line of a file, without what ends it. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a file, one at a time. Only a line feed ends one: a JSON text can have the other separators of Unicode.
 *
 * @throws UsageError for a file that cannot be read, or a line that is longer than so many characters
 */
export async function* linesIn(file: string, maxLength: number): AsyncGenerator<FileLine, void> {
  let [rest, number] = ['', 0];
  const whole = (text: string): FileLine => {
    number += 1;
    if (text.length > maxLength)
      throw new UsageError(`${file}, line ${number}: it has more than ${maxLength} characters`);
    return { number, text: text.trim() };
  };
  for await (const part of partsOf(file)) {
    const [first = '', ...more] = part.split('\n');
    rest += first;
    for (const next of more) {
      yield whole(rest);
      rest = next;
    }
    if (rest.length > maxLength) whole(rest);
  }
  if (rest !== '') yield whole(rest);
}

async function* partsOf(file: string): AsyncGenerator<string, void> {
  try {
    for await (const part of createReadStream(file, { encoding: 'utf8' })) yield String(part);
  } catch (error) {
    throw failure(error, `reading ${file}`);
  }
}
