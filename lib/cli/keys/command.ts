import { type Command, instead, off, readLine, UsageError } from '../command.ts';
import type { Terminal } from '../output.ts';
import {
  createKeyFile,
  type FileKey,
  isOpenToOthers,
  type KeyFile,
  keyFileText,
  newKeyFile,
  readKeyFile,
  replaceKeyFile,
} from './key-file.ts';
import { rotate, type Stage, stageOf } from './rotation.ts';

const actions = ['new', 'rotate', 'status'] as const;

export const keys: Command = {
  help: `Usage: campus-oidc keys new [file]
       campus-oidc keys rotate <file> [--force] [--json]
       campus-oidc keys status <file> [--json]

The file is JSON with "signing", "published" and "cookies": the option keys of createCampus.

  new      writes new keys to a file that does not exist yet, readable by you only; without a file, to standard output
  rotate   does the next of three steps: publish a new key; sign with it; remove the old one. An hour must pass between
           them; an earlier step is refused.
  status   says which keys there are, and what is next. It shows no private part.

  --force  does the step although it is too early; for a key that has leaked
  --json   for programs

Exit codes: 0 fine; 1 the file can be read by others (status); 2 wrong usage, or the step was refused.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('keys', args, { json: off, force: off });
    const [action = '', file, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`one file at a time, not ${more.join(' ')} too`);
    if (action === 'new') return create(file, terminal);
    if (action !== 'rotate' && action !== 'status')
      throw new UsageError(`say new, rotate or status; ${instead(action, actions, 'campus-oidc keys')}`);
    if (file === undefined) throw new UsageError(`keys ${action} needs the name of a file, for example keys.json`);
    return action === 'rotate' ? turn(file, values, terminal) : showStatus(file, values.json, terminal);
  },
};

function create(file: string | undefined, terminal: Terminal): number {
  const made = newKeyFile(new Date());
  if (file === undefined) {
    terminal.print(...keyFileText(made).trimEnd().split('\n'));
    return 0;
  }
  createKeyFile(file, made);
  terminal.print(
    `${file} has the signing key ${made.signing[0]?.kid ?? ''} and a cookie secret. Keep it secret, and out of the repository.`,
  );
  return 0;
}

function turn(file: string, { json, force }: { json: boolean; force: boolean }, terminal: Terminal): number {
  const { done, kid } = replaceKeyFile(file, (current) => rotate(current, new Date(), force));
  const texts = {
    publish: `The key ${kid} is published and does not sign yet. In an hour, run this again to sign with it.`,
    sign: `The key ${kid} signs. In an hour, run this again to remove the old one.`,
    remove: `The key ${kid} is removed. The rotation is complete.`,
  };
  const reload =
    'Processes that read the file by a function (keys: () => …) have it within ten seconds; restart all others.';
  if (json) terminal.print(JSON.stringify({ done, kid }));
  else terminal.print(texts[done], reload);
  return 0;
}

function showStatus(file: string, json: boolean, terminal: Terminal): number {
  const current = readKeyFile(file);
  const stage = stageOf(current);
  const open = isOpenToOthers(file);
  const rows = rowsOf(current);
  const cookies = current.cookies.length;
  if (json) {
    const next = { step: stage.step, safeAt: 'safeAt' in stage ? stage.safeAt?.toISOString() : undefined };
    terminal.print(JSON.stringify({ keys: rows, cookies, next, openToOthers: open }));
  } else {
    for (const { kid, role, publishedAt } of rows) {
      terminal.print(`${role.padEnd(9)} ${kid}  published ${publishedAt ?? 'at an unknown time'}`);
    }
    terminal.print(`${String(cookies).padEnd(9)} cookie secret${cookies === 1 ? '' : 's'}`);
    terminal.print(`next      ${nextText(stage)}`);
    if (open) terminal.report('error', `others can read ${file}; run: chmod 600 ${file}`);
  }
  return open ? 1 : 0;
}

interface Row {
  readonly kid: string;
  readonly role: 'signs' | 'next' | 'old';
  readonly publishedAt?: string | undefined;
}

function rowsOf({ signing, published }: KeyFile): Row[] {
  const row = (role: Row['role'], { kid, published_at: publishedAt }: FileKey): Row => ({ kid, role, publishedAt });
  return [
    ...signing.map((key, i) => row(i === 0 ? 'signs' : 'old', key)),
    ...published.map((key) => row(key.d !== undefined && key.retired_at === undefined ? 'next' : 'old', key)),
  ];
}

function nextText(stage: Stage): string {
  if (stage.step === 'publish') return 'publish a new key, whenever you like';
  const { step, key, safeAt } = stage;
  const what = step === 'sign' ? `sign with ${key.kid}` : `remove ${key.kid}`;
  return safeAt === undefined
    ? `${what}; since when it is published or retired is not known`
    : `${what}, not before ${safeAt.toISOString()}`;
}
