import type { AuditedClaims } from './claimed-metadata.ts';

/** What each action says about a request or a client, unless its event says otherwise. `docs/reference/events.md` describes them. */
export const auditOutcomes = {
  /** A client got a code; `reason` `first_party`: without the consent page, since the client is part of the platform. */
  'authorization.granted': 'allowed',
  /**
   * An authorization request was refused, when the page was shown or the app got the error; `requestId` is the reference on the page.
   * `reason` is from Refusals. Sampled.
   */
  'authorization.refused': 'refused',
  /** A person allowed all that was asked for; `reason` `first_party`: nobody was asked. */
  'consent.given': 'allowed',
  /** A person, or a policy, left less than was asked for. */
  'consent.narrowed': 'allowed',
  /** The person declined: `reason` is `declined`. */
  'consent.denied': 'refused',
  /** A code was exchanged for tokens, or a service got one. */
  'token.issued': 'allowed',
  /** A refresh token was exchanged. */
  'token.refreshed': 'allowed',
  /** A refresh that was sent twice got the response of the first one again. */
  'token.replayed': 'allowed',
  /**
   * The token endpoint refused; `reason` is the error code, or `assertion_audience`: the assertion of the client `clientId` is for what
   * `claimed.audiences` says. With the person and connection of a code or refresh token of this client that was found. Sampled unless the
   * client has proved who it is.
   */
  'token.refused': 'refused',
  /**
   * A code or refresh token was sent again after it was redeemed, a refresh token after `lifetimes.refreshGrace`: a thief, or processes
   * that share one token. It ends its family: worth an alert. Sampled.
   */
  'token.reused': 'refused',
  /** Another request redeemed or revoked the code or refresh token at the same moment; nothing else ended. */
  'token.lost_race': 'refused',
  /**
   * A token family, or a token of a service, ended: the client revoked it, or with `reason` `reused`; `signed_out`: the member ended it, on
   * _Your apps_ or by `campus.connections.revokeDevice`.
   */
  'token.revoked': 'allowed',
  /**
   * A bearer token was refused; `reason` is `unknown`, `expired`, `other_origin`, `client_not_permitted`, `client_blocked`, `client_role`,
   * `needs_approval`, `no_access`, `person_gone`, `boundary_removed` (it is limited by a boundary that the platform no longer has) or, of a
   * service, `secret_ended`. Sampled.
   */
  'token.rejected': 'refused',
  /** The revocation endpoint refused; `reason` as of `token.refused`. Sampled in the same way. */
  'revocation.refused': 'refused',
  /** The introspection endpoint refused; `reason` as of `token.refused`. Sampled in the same way. */
  'introspection.refused': 'refused',
  /** An administrator created an application. */
  'application.created': 'allowed',
  /** An administrator changed it; `reason` `keys`: also its public keys. */
  'application.changed': 'allowed',
  /** It has a new secret; `reason` `overlap`: the old one stays valid for a while. */
  'application.secret_rotated': 'allowed',
  /** It was removed. */
  'application.removed': 'allowed',
  /**
   * The member ended it; or `reason` is `application_changed`, `application_removed`, `client_blocked`, `client_disconnected`,
   * `client_limit` (it made room for another client), `member_erased`, `person_gone` (`findMember` returns nobody for their id) or
   * `rule_changed`.
   */
  'connection.ended': 'allowed',
  /** The member took permissions from it, on _Your apps_ or by `campus.connections.narrow`. */
  'connection.narrowed': 'allowed',
  /**
   * The member gave it permissions that it was refused before, on _Your apps_ or by `campus.connections.widen`; with `only`, if they chose
   * what it is limited to with them.
   */
  'connection.widened': 'allowed',
  /**
   * The member changed what it is limited to, on _Your apps_ or by `campus.connections.limit` or `widen`; `only` is what it is from then
   * on.
   */
  'connection.limited': 'allowed',
  /**
   * A school has decided on an app or a client; refused where that blocks it. `reason` is `set` (`rule` is the new rule), `approved` (on
   * its page or on the consent page; `approved` is the version, and `rule` what it may do with that), `reset` (the decision was taken
   * back), `person_allowed` or `person_reset` (for the person `memberId` alone), `incident` or `incident_over` (by `campus.incidents`; `rule`
   * is what the school has then).
   */
  'app.decided': 'allowed',
  /**
   * The consent page of a metadata document, or of an app that waits for an approval, was shown to an operator or a member (`actor`) for
   * the first time, or in a new version.
   */
  'document.seen': 'allowed',
  /** It has another name, redirect URIs or keys than before, or than this school approved; once for each version. */
  'document.changed': 'allowed',
  /**
   * It could not be fetched, without a copy; allowed with `reason` `stale`: its last good copy serves, or `shipped`: the copy of its row.
   * Sampled.
   */
  'document.unreachable': 'refused',
  /** It can no longer be used (`reason` is the error code), so its last good copy no longer serves. */
  'document.withdrawn': 'refused',
  /**
   * A member asks the school for an application; `app` is `other` for one that is not known. With the reason `connect` the member asks to
   * connect the client `clientId` as it is. `first`: it was not open before.
   */
  'request.made': 'allowed',
  /** The member removed it. */
  'request.withdrawn': 'allowed',
  /** An administrator created the application `clientId` for it. */
  'request.granted': 'allowed',
  /** An administrator declined it. */
  'request.declined': 'refused',
  /** A client registered; `reason` is the policy. Sampled. */
  'registration.admitted': 'allowed',
  /** `reason` is the error code, and `claimed` has what wanted to register. Sampled. */
  'registration.refused': 'refused',
  /**
   * A limit was reached; `reason` is its name in `limits`, `requests` (those of members for applications) or `sign_outs` (those of one
   * person that applications learn of). Sampled.
   */
  'quota.exceeded': 'refused',
  /**
   * A tool was called; `tool.outcome` is `succeeded`, `failed` (it says so), `fault` (it threw), `invalid_arguments`, `timed_out`,
   * `disconnected`, or, refused, `refused`: the token lacks a scope. Sampled without a token.
   */
  'tool.called': 'allowed',
  /**
   * A message to the tools was no message of MCP, or asked for what is not there; `reason` is the code of the JSON-RPC error, for example
   * `-32601` for a method that is not there. Sampled.
   */
  'message.refused': 'refused',
  /**
   * The member signed out of the school: on the page of logout, with the application that sent them there, or the host called
   * `campus.signedOut`.
   */
  'session.ended': 'allowed',
  /**
   * A request to sign a person out was refused; `requestId` is the reference on the page. `reason` is `redirect_uri_mismatch`,
   * `unknown_client` or the error code, and `claimed` has what was sent. Sampled.
   */
  'logout.refused': 'refused',
  /** The application accepted a logout token about the member. */
  'logout.delivered': 'allowed',
  /**
   * It did not, three times; `reason` is `unreachable`, `no_key` (no key signs), `status_` with what it answered, for example `status_500`,
   * `resting` (it has failed again and again) or `no_room` (too many of the school wait).
   */
  'logout.undelivered': 'refused',
  /** All that was stored of the member is gone. */
  'member.erased': 'allowed',
  /** All that was stored of the school is gone; `connections` is how many there were. */
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
  /** The incident that blocks the app, or that is over. */
  readonly incident?: string | undefined;
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
