import { boundedCache } from '../../kernel/bounded-cache.ts';
import { appKinds } from '../known-apps/app-kind.ts';
import { type AppSource, appSources, type App } from './app.ts';

/** The app of a token, when it was issued. */
export interface IssuedApp extends App {
  /** Whether the school has said yes to this person, and a rule wanted that. */
  readonly allowed: boolean;
}

const letters = {
  platform: 'p',
  application: 'a',
  vendor: 'v',
  document: 'd',
  loopback: 'l',
} as const satisfies Readonly<Record<AppSource, string>>;

export const code = /^(?<source>[pavdl])(?<kind>[aws])(?<flags>[vry]*)(?:(?<sign>[=~])(?<known>.+))?$/;

/** An app in a few characters, `vavr=chatgpt`: what a token has of it. No name that an app chose is in it. */
export function appCode({ id, claimedId, source, kind, verified, reviewed, allowed }: IssuedApp): string {
  const flags = `${verified ? 'v' : ''}${reviewed ? 'r' : ''}${allowed ? 'y' : ''}`;
  const known = id !== undefined ? `=${id}` : claimedId !== undefined ? `~${claimedId}` : '';
  return `${letters[source]}${kind.charAt(0)}${flags}${known}`;
}

/** A request asks several times for the app of one token, and few apps have most tokens. */
const apps = boundedCache<IssuedApp>(1000);

/** @throws TypeError for what is no code */
export function appOfCode(text: string): IssuedApp {
  const known = apps.get(text);
  if (known) return known;
  const app = readCode(text);
  apps.set(text, app);
  return app;
}

function readCode(text: string): IssuedApp {
  const { source: letter, kind: first, flags = '', sign, known } = code.exec(text)?.groups ?? {};
  const source = appSources.find((each) => letters[each] === letter);
  const kind = appKinds.find((each) => each.charAt(0) === first);
  if (!source || !kind) throw new TypeError('a token has no code of its app');
  return {
    ...(known !== undefined && (sign === '=' ? { id: known } : { claimedId: known })),
    source,
    kind,
    verified: flags.includes('v'),
    reviewed: flags.includes('r'),
    allowed: flags.includes('y'),
  };
}
