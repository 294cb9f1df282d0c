import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../docs/storage.md', import.meta.url), 'utf8');
const line = /^ {4}ACL SETUSER campus on >\S+ (.*)$/m.exec(text)?.[1] ?? '';

/** The rules of an ACL that `docs/storage.md` has for the user of the client. */
export const documentedRules: readonly string[] = line.split(' ');
