import { parseArgs } from 'node:util';

export interface Options {
  /** The school's origin. */
  readonly issuer: string;
  /** Sign in and consent automatically. */
  readonly auto: boolean;
  /** Register a new client instead of using the demo's. */
  readonly register: boolean;
  /** Be the service `harbour-sync`, without a person. */
  readonly service: boolean;
  /** Be an app without a browser: the person signs in on another device. */
  readonly device: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm run client -- [--issuer <origin>] [--register | --service | --device] [--auto]

  --issuer <origin>  the school to connect to (default http://localhost:3000)
  --register         register a new client, like a command-line tool; it acts for an operator
  --service          be the service harbour-sync, which has no person; the demo needs DEMO_GRANTS=all
  --device           have no browser, and show a code for another device; the demo needs DEMO_GRANTS=all
  --auto             sign in and consent automatically, without a browser
  --help             show this help`;

/** @throws TypeError for an unknown option or an invalid issuer */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      issuer: { type: 'string', default: 'http://localhost:3000' },
      auto: { type: 'boolean', default: false },
      register: { type: 'boolean', default: false },
      service: { type: 'boolean', default: false },
      device: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!URL.canParse(values.issuer)) throw new TypeError(`--issuer must be an origin, not "${values.issuer}"`);
  return { ...values, issuer: new URL(values.issuer).origin };
}
