import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../docs/operate/redis.md', import.meta.url), 'utf8');
const line = /^ {4}ACL SETUSER campus on >\S+ (.*)$/m.exec(text)?.[1] ?? '';

/** The rules of an ACL that `docs/operate/redis.md` has for the user of the client. */
export const documentedRules: readonly string[] = line.split(' ');
