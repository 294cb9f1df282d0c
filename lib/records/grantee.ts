import { hash } from 'node:crypto';

/** The recipient of grants: a client, or an app with many clients, for example one for each installation. */
export type Grantee = { readonly clientId: string } | { readonly app: string };

/** Half of a SHA-256 in characters of base64url. */
const shortLength = 22;

/** An id as part of a name: half of its SHA-256, after an equals sign, if it is long. */
function shortened(id: string): string {
  const name = encodeURIComponent(id);
  return name.length <= shortLength ? name : `=${hash('sha256', name, 'base64url').slice(0, shortLength)}`;
}

/** A client's name among grantees, the same in all stores: without space, comma, colon, at sign and brace. */
export function clientName(clientId: string): string {
  return shortened(clientId);
}

/** The name of an app, which no client has. */
export function appName(app: string): string {
  return `@${shortened(app)}`;
}

export function granteeName(grantee: Grantee): string {
  return 'app' in grantee ? appName(grantee.app) : clientName(grantee.clientId);
}

/** Whether a name does not tell the id. */
export function hidesId(name: string): boolean {
  return /^@?=/.test(name);
}

/** The client or app of a name. `id` is theirs, where the name does not tell it. */
export function granteeNamed(name: string, id?: unknown): Grantee {
  const isApp = name.startsWith('@');
  if (hidesId(name) && typeof id !== 'string') throw new Error('the store has no id for the name of a client');
  const text = typeof id === 'string' ? id : decodeURIComponent(isApp ? name.slice(1) : name);
  return isApp ? { app: text } : { clientId: text };
}
