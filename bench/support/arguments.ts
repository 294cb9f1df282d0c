import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Size } from './comparison.ts';

/** Reads the options of a script; for `--help` or a wrong option, prints the usage and ends the process. */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: T,
): ReturnType<typeof parseArgs<{ options: T }>>['values'] {
  if (process.argv.includes('--help')) return leave(usage, 0);
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return leave(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, 2);
  }
}

/** Reads `--rounds` and `--seconds` of a comparison. */
export function readSize(given: { readonly rounds: string; readonly seconds: string }): Size {
  const [rounds = 1] = numbersOf(given.rounds);
  const [seconds = 1] = numbersOf(given.seconds);
  return { rounds, seconds };
}

/** The options of every comparison; the defaults are those of the usage. */
export function sizeOptions(rounds: string, seconds: string) {
  return { rounds: { type: 'string', default: rounds }, seconds: { type: 'string', default: seconds } } as const;
}

/** The numbers of a list such as `10000,100000`. */
export function numbersOf(list: string): number[] {
  const numbers = list.split(',').map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number > 0)) return numbers;
  return leave(`${list} must be whole numbers, separated by commas`, 2);
}

function leave(message: string, status: number): never {
  (status === 0 ? console.log : console.error)(message);
  process.exit(status);
}
