import { parseArgs } from 'node:util';

/** What the command line says. */
export interface Options {
  /** The school's origin. */
  readonly issuer: string;
  /** Sign in and consent without a person. */
  readonly auto: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm run client -- [--issuer <origin>] [--auto]

  --issuer <origin>  the school to connect to (default http://localhost:3000)
  --auto             sign in as sam@example.com and consent by itself, without a browser
  --help             this text`;

/** Reads the command line; throws for an option that it does not know. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      issuer: { type: 'string', default: 'http://localhost:3000' },
      auto: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!URL.canParse(values.issuer)) throw new TypeError(`--issuer must be an origin, not "${values.issuer}"`);
  return { issuer: new URL(values.issuer).origin, auto: values.auto, help: values.help };
}
