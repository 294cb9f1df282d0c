import { type Command, instead, off, readLine, UsageError } from '../command.ts';
import { type IdTokenAlgorithm, idTokenAlgorithms } from '../../core/keys/keys.ts';
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
  help: `Usage: campus-oidc keys new [file] [--alg RS256]
       campus-oidc keys rotate <file> [--alg RS256] [--force] [--json]
       campus-oidc keys status <file> [--json]

The file is JSON with "signing", "published" and "cookies": the option keys of createCampus.

  new      write new keys to a file that does not exist yet, readable by you only; without a file, to standard output
  rotate   take the next of three steps: publish a new key, sign with it, remove the old one. An hour must pass between
           steps. An earlier step is refused.
  status   list the keys and the next step. Private parts are not shown.

  --alg    new: add an RS256 key. rotate: take the step for the RS256 key, or publish the first one. The default is ES256.
           RS256 is for applications with common sign-in clients that refuse ES256.
  --force  take the step even if it is too early, for a key that has leaked
  --json   for apps

Exit codes: 0 fine; 1 the file can be read by others (status); 2 wrong usage, or the step was refused.`,
  async run(args, terminal) {
    const { values, positionals } = readLine('keys', args, {
      json: off,
      force: off,
      alg: { type: 'string', default: 'ES256' },
    });
    const [action = '', file, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`name one file, not also ${more.join(' ')}`);
    const algorithm = idTokenAlgorithms.find((name) => name === values.alg);
    if (!algorithm) throw new UsageError(`--alg must be ${idTokenAlgorithms.join(' or ')}, not ${values.alg}`);
    if (action === 'new') return create(file, algorithm, terminal);
    if (action !== 'rotate' && action !== 'status')
      throw new UsageError(`name an action: new, rotate or status; ${instead(action, actions, 'campus-oidc keys')}`);
    if (file === undefined) throw new UsageError(`keys ${action} needs the name of a file, for example keys.json`);
    return action === 'rotate'
      ? turn(file, { ...values, algorithm }, terminal)
      : showStatus(file, values.json, terminal);
  },
};

function create(file: string | undefined, algorithm: IdTokenAlgorithm, terminal: Terminal): number {
  const made = newKeyFile(new Date(), [...new Set<IdTokenAlgorithm>(['ES256', algorithm])]);
  if (file === undefined) {
    terminal.print(...keyFileText(made).trimEnd().split('\n'));
    return 0;
  }
  createKeyFile(file, made);
  terminal.print(
    `${file} has the signing ${made.signing.length > 1 ? 'keys' : 'key'} ${made.signing.map(({ kid }) => kid).join(' and ')} and a cookie secret. Keep it secret, and out of the repository.`,
  );
  return 0;
}

interface Turn {
  readonly json: boolean;
  readonly force: boolean;
  readonly algorithm: IdTokenAlgorithm;
}

function turn(file: string, { json, force, algorithm }: Turn, terminal: Terminal): number {
  const { done, kid } = replaceKeyFile(file, (current) =>
    rotate(current, algorithm, { now: new Date(), forced: force }),
  );
  const texts = {
    publish: `The key ${kid} is published and does not sign yet. In an hour, run this again to sign with it.`,
    sign: `The key ${kid} signs. In an hour, run this again to remove the old one.`,
    remove: `The key ${kid} is removed. The rotation is complete.`,
  };
  const reload =
    'Processes that read the file in a function (keys: () => …) load it within ten seconds. Restart all others.';
  if (json) terminal.print(JSON.stringify({ done, kid }));
  else terminal.print(texts[done], reload);
  return 0;
}

function showStatus(file: string, json: boolean, terminal: Terminal): number {
  const current = readKeyFile(file);
  const stages = stagesOf(current);
  const open = isOpenToOthers(file);
  const rows = rowsOf(current);
  const cookies = current.cookies.length;
  if (json) {
    const [next, ...others] = stages.map(([alg, stage]) => {
      const safeAt = 'safeAt' in stage ? stage.safeAt?.toISOString() : undefined;
      return { ...(alg !== 'ES256' && { alg }), step: stage.step, safeAt };
    });
    terminal.print(
      JSON.stringify({ keys: rows, cookies, next, ...(others.length > 0 && { others }), openToOthers: open }),
    );
  } else {
    for (const { kid, role, publishedAt, alg } of rows) {
      const since = `published ${publishedAt ?? 'at an unknown time'}`;
      terminal.print(`${role.padEnd(9)} ${kid}  ${since}${alg === undefined ? '' : `  ${alg}`}`);
    }
    terminal.print(`${String(cookies).padEnd(9)} cookie secret${cookies === 1 ? '' : 's'}`);
    for (const [alg, stage] of stages) terminal.print(`next      ${nextText(alg, stage)}`);
    if (open) terminal.report('error', `others can read ${file}; run: chmod 600 ${file}`);
  }
  return open ? 1 : 0;
}

/** ES256 first, and the others of which there are keys. */
function stagesOf(file: KeyFile): (readonly [IdTokenAlgorithm, Stage])[] {
  const has = (name: IdTokenAlgorithm): boolean => [...file.signing, ...file.published].some(({ alg }) => alg === name);
  const used = idTokenAlgorithms.filter((name) => name === 'ES256' || has(name));
  return used.map((name) => [name, stageOf(file, name)] as const);
}

type KeyRole = 'signs' | 'next' | 'old';

interface Row {
  readonly kid: string;
  /** Absent for ES256, which is the default. */
  readonly alg?: string | undefined;
  readonly role: KeyRole;
  readonly publishedAt?: string | undefined;
}

function rowOf(role: KeyRole, { kid, alg, published_at: publishedAt }: FileKey): Row {
  return { kid, ...(alg !== 'ES256' && { alg }), role, publishedAt };
}

function rowsOf({ signing, published }: KeyFile): Row[] {
  const signs = (key: FileKey): boolean => signing.find(({ alg }) => alg === key.alg) === key;
  return [
    ...signing.map((key) => rowOf(signs(key) ? 'signs' : 'old', key)),
    ...published.map((key) => rowOf(key.d !== undefined && key.retired_at === undefined ? 'next' : 'old', key)),
  ];
}

function nextText(alg: IdTokenAlgorithm, stage: Stage): string {
  const kind = alg === 'ES256' ? '' : `${alg} `;
  if (stage.step === 'publish') return `publish a new ${kind}key, whenever you like`;
  const { step, key, safeAt } = stage;
  const what = step === 'sign' ? `sign with ${key.kid}` : `remove ${key.kid}`;
  return safeAt === undefined
    ? `${what}; the file does not say when it was published or retired`
    : `${what}, not before ${safeAt.toISOString()}`;
}
