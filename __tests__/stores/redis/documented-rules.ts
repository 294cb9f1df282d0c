import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../docs/operate/redis.md', import.meta.url), 'utf8');
const lines = text.matchAll(/^ {4}ACL SETUSER campus (.*)$/gm);

/** The rules of an ACL that `docs/operate/redis.md` has for the user of the client, also those for a log. */
export const documentedRules: readonly string[] = [...lines].flatMap(([, line = '']) =>
  line.replace(/^on >\S+ /, '').split(' '),
);
