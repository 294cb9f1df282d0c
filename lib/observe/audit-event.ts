import type { AuditedClaims } from './claimed-metadata.ts';

/** What each action says about a request or a client, unless its event says otherwise. `docs/reference/events.md` describes them. */
export const auditOutcomes = {
  'authorization.granted': 'allowed',
  'authorization.refused': 'refused',
  'consent.given': 'allowed',
  'consent.narrowed': 'allowed',
  'consent.denied': 'refused',
  'token.issued': 'allowed',
  'token.refreshed': 'allowed',
  'token.replayed': 'allowed',
  'token.refused': 'refused',
  'token.reused': 'refused',
  'token.lost_race': 'refused',
  'token.revoked': 'allowed',
  'token.rejected': 'refused',
  'revocation.refused': 'refused',
  'introspection.refused': 'refused',
  'application.created': 'allowed',
  'application.changed': 'allowed',
  'application.secret_rotated': 'allowed',
  'application.removed': 'allowed',
  'connection.ended': 'allowed',
  'connection.narrowed': 'allowed',
  'connection.widened': 'allowed',
  'connection.limited': 'allowed',
  'app.decided': 'allowed',
  'document.seen': 'allowed',
  'document.changed': 'allowed',
  'document.unreachable': 'refused',
  'document.withdrawn': 'refused',
  'request.made': 'allowed',
  'request.withdrawn': 'allowed',
  'request.granted': 'allowed',
  'request.declined': 'refused',
  'registration.admitted': 'allowed',
  'registration.refused': 'refused',
  'quota.exceeded': 'refused',
  'tool.called': 'allowed',
  'message.refused': 'refused',
  'session.ended': 'allowed',
  'logout.refused': 'refused',
  'logout.delivered': 'allowed',
  'logout.undelivered': 'refused',
  'member.erased': 'allowed',
  'school.removed': 'allowed',
} as const;

/** What happened. `docs/reference/events.md` describes each. */
export type AuditAction = keyof typeof auditOutcomes;

/** A log may have actions of a later release. */
export function isAction(name: string): name is AuditAction {
  return Object.hasOwn(auditOutcomes, name);
}

/** Who did it, as far as this service can tell. */
export interface AuditActor {
  /**
   * `member`, `operator`: a person who connects a client for members or for operators; `administrator`: one who decides for the school
   * (`platform.adminRoles`), who is signed in or, for calls of the host, whom the host says it has authenticated; `client`: a client, with a code or a token; `anonymous`: anyone else.
   */
  readonly kind: 'member' | 'operator' | 'administrator' | 'client' | 'anonymous';
  /** The member's id or the `client_id`, if it is known. */
  readonly id?: string | undefined;
}

/** How the call of a tool ended. */
export type ToolOutcome =
  'succeeded' | 'failed' | 'fault' | 'invalid_arguments' | 'timed_out' | 'disconnected' | 'refused';

/** A rule of a school, whole, so that it can be set again: `AppRule`. */
export interface AuditedRule {
  readonly access: 'allowed' | 'view_only' | 'blocked';
  readonly ask?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly pseudonym?: boolean | undefined;
  readonly limited?: readonly string[] | undefined;
}

/** A version of a client, whole, so that it can be approved again. Its name and addresses are what the client says of itself. */
export interface AuditedVersion {
  /** A digest of the name, the redirect URIs and the keys. */
  readonly digest: string;
  readonly clientName?: string | undefined;
  readonly redirectUris: readonly string[];
  readonly logoUri?: string | undefined;
  /** A digest of the address of the logo and the picture. */
  readonly logoDigest?: string | undefined;
  /** What it was approved for. Absent: every scope. */
  readonly scopes?: readonly string[] | undefined;
}

/** A call of a tool, without its arguments. */
export interface AuditedTool {
  readonly name: string;
  /**
   * `failed`: the tool says so; `fault`: it threw; `refused`: the access token lacks a scope; the others: it was not called or
   * not waited for.
   */
  readonly outcome: ToolOutcome;
  /** What the call was about, as the tool says it: `ToolOutput.about`. */
  readonly about?: string | undefined;
}

/**
 * One decision of the service, or one change of what it keeps. It holds no credential. Within a `version` members and actions
 * are only added.
 */
export interface AuditEvent {
  readonly version: 1;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Unique. */
  readonly eventId: string;
  readonly siteId: string;
  readonly action: AuditAction;
  readonly outcome: 'allowed' | 'refused';
  readonly actor: AuditActor;
  /** Why: an OAuth error code, or one of the words in `docs/reference/events.md`. */
  readonly reason?: string | undefined;
  readonly clientId?: string | undefined;
  /** The name of an application that was removed: it is stored nowhere else. */
  readonly clientName?: string | undefined;
  /** What the app says of itself, where it was refused: text of a stranger, that nobody has checked. */
  readonly claimed?: AuditedClaims | undefined;
  /** The id of the client's app, if it is a known one; a client that registered itself has it where it was looked up. */
  readonly app?: string | undefined;
  /** The person whose connection it is. */
  readonly memberId?: string | undefined;
  /** `Connection.id`. */
  readonly connectionId?: string | undefined;
  /** The token family: one authorization on one device. It is unique within its connection. */
  readonly familyId?: string | undefined;
  /** How many connections have ended, where it may be several. */
  readonly connections?: number | undefined;
  /** The people whose connections have ended, where they are those of several: 100 at most. */
  readonly memberIds?: readonly string[] | undefined;
  /** The scopes of the connection or application, where they may have changed. */
  readonly scopes?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /**
   * What the connection is limited to from then on, by the type of boundary; empty where a limit was removed. Absent where it is not limited and
   * nothing was removed.
   */
  readonly only?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What the school lets the app do from then on, with a decision that says so. */
  readonly rule?: AuditedRule | undefined;
  /** The version of the client that the decision approves. */
  readonly approved?: AuditedVersion | undefined;
  /** It begins something: the person had no connection with this client, or the document did not wait for a review. */
  readonly first?: true | undefined;
  readonly tool?: AuditedTool | undefined;
  /** Events like this one at this school that were left out since the last one, because there were too many. */
  readonly omitted?: number | undefined;
  /** The address that the request came from, as the host trusts it. Absent outside requests. */
  readonly address?: string | undefined;
  /** The `X-Request-Id` of the request if it is a short token, otherwise one made up. Absent outside requests. */
  readonly requestId?: string | undefined;
  /** The trace of the request. W3C Trace Context, `traceparent`. */
  readonly traceId?: string | undefined;
}

/** Filled in when an event is reported. */
type FilledIn = 'version' | 'time' | 'eventId' | 'omitted' | 'address' | 'requestId' | 'traceId';

/** What the one who reports an event knows of it, beside what happened where. */
export interface EventDetails extends Omit<AuditEvent, FilledIn | 'action' | 'siteId' | 'outcome' | 'actor'> {
  readonly outcome?: 'allowed' | 'refused' | undefined;
  readonly actor?: AuditActor | undefined;
  /** Whether the caller has proved nothing, by a secret, key or token: then it is sampled. Events do not have it. */
  readonly fromStranger?: boolean | undefined;
  /** The `grant_type` of the request. For metrics; events do not have it. */
  readonly grantType?: string | undefined;
}

/** What the one who reports an event knows; the rest is filled in. */
export interface AuditDetails extends EventDetails {
  readonly action: AuditAction;
  readonly siteId: string;
}

export type OnAudit = (details: AuditDetails) => void;
