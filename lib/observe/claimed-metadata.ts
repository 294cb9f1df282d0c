import { invisibleIn } from '../kernel/invisible.ts';

/** What an app says of itself: text of a stranger, bounded, without characters that show nothing, and without credentials. */
export interface AuditedClaims {
  /** The `client_id` that was sent, if no client has it and it has the shape of an id. */
  readonly clientId?: string | undefined;
  /** The name under which it has registered, or that its metadata document has: up to 100 characters. */
  readonly name?: string | undefined;
  /** Where it asked to be sent back to, or wanted to register: up to 5, without user, query and fragment. */
  readonly redirectUris?: readonly string[] | undefined;
  /** Whom the assertion was for with which it wanted to prove who it is, where that was wrong: up to 5, cut in the same way. */
  readonly audiences?: readonly string[] | undefined;
}

const maxName = 100;
const maxUris = 5;
const maxUri = 200;

/** Tokens, codes and secrets have 43 characters and more; an id of a release has up to 26. */
const idPattern = /^[A-Za-z0-9][\w.-]{0,39}$/;

/** What looks like an address of a person, or escapes one. */
const personal = /@|%(?:25)*40/i;

/** A part of a path that can be a token. */
const secretive = /[^/]{41}/;

/** From what was received, which can be anything. Returns nothing if nothing of it can be told. */
export function claimsOf(received: Readonly<Partial<Record<keyof AuditedClaims, unknown>>>): AuditedClaims | undefined {
  const [clientId, name] = [claimedId(received.clientId), claimedName(received.name)];
  const redirectUris = claimedUris(received.redirectUris, claimedUri);
  const audiences = claimedUris(received.audiences, (each) => claimedUri(each) ?? claimedId(each));
  const claims = {
    ...(clientId !== undefined && { clientId }),
    ...(name !== undefined && { name }),
    ...(redirectUris.length > 0 && { redirectUris }),
    ...(audiences.length > 0 && { audiences }),
  };
  return Object.keys(claims).length > 0 ? claims : undefined;
}

function claimedUris(sent: unknown, claimed: (each: unknown) => string | undefined): readonly string[] {
  return Array.isArray(sent) ? sent.slice(0, maxUris).flatMap((each) => claimed(each) ?? []) : [];
}

/** The URL of a metadata document as what it is without a query. */
function claimedId(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  return sent.startsWith('https://') ? claimedUri(sent) : idPattern.exec(sent)?.[0];
}

function claimedName(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined;
  const start = Array.from(sent.slice(0, maxName * 2)).slice(0, maxName);
  const visible = start.map((each) => (invisibleIn(each) === undefined ? each : ' ')).join('');
  const name = visible.replaceAll(/\s+/g, ' ').trim();
  return name === '' || personal.test(name) ? undefined : name;
}

function claimedUri(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || sent.length > maxUri * 10) return undefined;
  const url = URL.parse(sent);
  if (!url) return undefined;
  const place = url.host === '' ? url.protocol : `${url.protocol}//${url.host}`;
  // What follows a scheme without a slash can be anything.
  const isPath = url.pathname.startsWith('/') && !personal.test(url.pathname) && !secretive.test(url.pathname);
  return `${place}${isPath ? url.pathname : ''}`.slice(0, maxUri);
}
