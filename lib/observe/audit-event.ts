import type { AuditedClaims } from './claimed-metadata.ts';

/** What each action says about a request or a client, unless its event says otherwise. `docs/reference/events.md` describes them. */
export const auditOutcomes = {
  /** A client got a code. With the `reason` `first_party`, the client is part of the platform, and no consent page was shown. */
  'authorization.granted': 'allowed',
  /**
   * An authorization request was refused: a page showed it, or the app got the error. `requestId` is the reference on the page. The
   * `reason` is one of those listed below. Sampled.
   */
  'authorization.refused': 'refused',
  /**
   * A person allowed all requested scopes. With the `reason` `first_party`, the client is part of the platform, and the person was not
   * asked.
   */
  'consent.given': 'allowed',
  /** A person allowed less than the client requested, or a policy removed some of it. */
  'consent.narrowed': 'allowed',
  /** The person declined. The `reason` is `declined`. */
  'consent.denied': 'refused',
  /** A client exchanged a code for tokens, or a service got a token. */
  'token.issued': 'allowed',
  /** A client exchanged a refresh token. */
  'token.refreshed': 'allowed',
  /** A client sent the same refresh twice, and got the first response again. */
  'token.replayed': 'allowed',
  /**
   * The token endpoint refused a request. The `reason` is the error code, or `assertion_audience`: the client's assertion names another
   * audience, see `claimed.audiences`. If the request had a known code or refresh token of this client, the event has its person and
   * connection. Sampled unless the client has proved who it is.
   */
  'token.refused': 'refused',
  /**
   * A client sent a code again after it was redeemed, or a refresh token after `lifetimes.refreshGrace`. The cause is a thief, or processes
   * that share one token. The token family ends. Send an alert. Sampled.
   */
  'token.reused': 'refused',
  /** Another request redeemed or revoked the code or refresh token at the same moment. This has no other effect. */
  'token.lost_race': 'refused',
  /**
   * A token family or a token of a service ended. Without a `reason`, the client revoked it.
   *
   * - `reused`: a code or refresh token was sent again after it was redeemed.
   * - `signed_out`: the member ended it, on _Your apps_ or with `campus.connections.revokeDevice`.
   */
  'token.revoked': 'allowed',
  /**
   * A bearer token was refused. The `reason` is `unknown`, `expired`, `other_origin`, `client_not_permitted`, `client_blocked`,
   * `client_role`, `needs_approval`, `no_access`, `person_gone` or one of these. Sampled.
   *
   * - `boundary_removed`: the token has a limit of a type that is no longer in `boundaries`.
   * - `key_not_proven`: the token is bound to a key that its sender did not prove (DPoP). It may be stolen.
   * - `secret_ended`: the secret of the service is no longer valid.
   */
  'token.rejected': 'refused',
  /** The revocation endpoint refused a request. It has the reasons of `token.refused`, and is sampled in the same way. */
  'revocation.refused': 'refused',
  /** The introspection endpoint refused a request. It has the reasons of `token.refused`, and is sampled in the same way. */
  'introspection.refused': 'refused',
  /** An administrator created an application. */
  'application.created': 'allowed',
  /** An administrator changed an application. With the `reason` `keys`, its public keys changed too. */
  'application.changed': 'allowed',
  /**
   * An administrator gave an application a new secret. The `reason` is absent or one of these.
   *
   * - `overlap`: the old secret stays valid for a while.
   * - `ended`: `campus.replay` ended the secret, and the application needs a new one.
   */
  'application.secret_rotated': 'allowed',
  /** An administrator removed an application. */
  'application.removed': 'allowed',
  /**
   * A connection ended. Without a `reason`, the member ended it. Otherwise the `reason` is `application_changed`, `application_removed`,
   * `client_blocked`, `client_disconnected`, `member_erased`, `rule_changed` or one of these.
   *
   * - `client_limit`: the connection made room for another client.
   * - `person_gone`: `findMember` no longer finds the person.
   */
  'connection.ended': 'allowed',
  /** The member removed permissions from a connection, on _Your apps_ or with `campus.connections.narrow`. */
  'connection.narrowed': 'allowed',
  /**
   * The member gave a connection permissions that it had been refused, on _Your apps_ or with `campus.connections.widen`. `only` is the
   * limit that the member chose for them.
   */
  'connection.widened': 'allowed',
  /**
   * The member changed the limit (`boundaries`) of a connection, on _Your apps_ or with `campus.connections.limit` or `widen`. `only` is
   * the new limit.
   */
  'connection.limited': 'allowed',
  /**
   * A school decided about an app or a client. The outcome is `refused` if the decision blocks it. The `reason` is one of these.
   *
   * - `set`: the school has a new `rule`.
   * - `approved`: an administrator approved the version `approved`, on its page or on the consent page. `rule` is what the app may do with
   *   it.
   * - `reset`: the school took its decision back.
   * - `person_allowed`, `person_reset`: the decision is only about the person `memberId`.
   * - `incident`, `incident_over`: `campus.incidents` blocked the app or ended that. `rule` is the rule that the school then has.
   */
  'app.decided': 'allowed',
  /**
   * An operator or a member (`actor`) saw the consent page of a metadata document, or of an app that waits for an approval. Reported for
   * the first time and for each new version.
   */
  'document.seen': 'allowed',
  /**
   * The name, redirect URIs or keys of a metadata document changed, or differ from the version that this school approved. Reported once for
   * each version.
   */
  'document.changed': 'allowed',
  /**
   * A metadata document could not be fetched. Sampled. With one of these reasons the outcome is `allowed`, because a copy is used.
   *
   * - `stale`: the last good copy.
   * - `shipped`: the copy that is configured with the document.
   */
  'document.unreachable': 'refused',
  /** A metadata document can no longer be used, and neither can its last good copy. The `reason` is the error code. */
  'document.withdrawn': 'refused',
  /**
   * A member asked the school for an application. `app` is `other` for an unknown one. With the `reason` `connect`, the member asked to
   * connect the client `clientId` as it is. `first` means that the request was not open before.
   */
  'request.made': 'allowed',
  /** The member removed a request. */
  'request.withdrawn': 'allowed',
  /** An administrator created the application `clientId` for a request. */
  'request.granted': 'allowed',
  /** An administrator declined a request. */
  'request.declined': 'refused',
  /** A client registered. The `reason` is the policy that admitted it. Sampled. */
  'registration.admitted': 'allowed',
  /** A registration was refused. The `reason` is the error code, and `claimed` is what the client says about itself. Sampled. */
  'registration.refused': 'refused',
  /**
   * A rate limit was reached. The `reason` is its name in `limits`, or one of these. Sampled.
   *
   * - `requests`: a member's requests for applications.
   * - `sign_outs`: a person's sign-outs that are reported to applications.
   */
  'quota.exceeded': 'refused',
  /**
   * A client called a tool. Sampled without a token. `tool.outcome` is `succeeded`, `invalid_arguments`, `timed_out`, `disconnected` or one
   * of these.
   *
   * - `failed`: the tool returned an error.
   * - `fault`: the tool threw an error.
   * - `refused`: the token lacks a scope. The outcome of the event is also `refused`.
   */
  'tool.called': 'allowed',
  /**
   * A message to the tools was not an MCP message, or asked for something that does not exist. The `reason` is the code of the JSON-RPC
   * error, for example `-32601` for an unknown method. Sampled.
   */
  'message.refused': 'refused',
  /**
   * The member signed out of the school on the logout page, or you called `campus.signedOut`. `clientId` is the application that sent the
   * member to the page.
   */
  'session.ended': 'allowed',
  /**
   * A request to sign a person out was refused. `requestId` is the reference on the page. The `reason` is `redirect_uri_mismatch`,
   * `unknown_client` or the error code. `claimed` is what the request said. Sampled.
   */
  'logout.refused': 'refused',
  /** The application accepted a logout token about the member. */
  'logout.delivered': 'allowed',
  /**
   * The application did not accept a logout token in three tries, or it was not sent. The `reason` is one of these.
   *
   * - `unreachable`: the application did not answer.
   * - `status_500` and others: the application answered with this status.
   * - `no_key`: the school has no signing key.
   * - `resting`: the application has failed repeatedly.
   * - `no_room`: too many logout tokens of the school are waiting.
   */
  'logout.undelivered': 'refused',
  /**
   * The records and stored events about the member were removed. Their decisions for the school stay, without the id.
   * `memberDigest` replaces the id.
   */
  'member.erased': 'allowed',
  /** All data of the school was removed from the store. `connections` is how many it had. */
  'school.removed': 'allowed',
} as const;

/** The name of an audit event. `docs/reference/events.md` describes each. */
export type AuditAction = keyof typeof auditOutcomes;

/** A log may have actions of a later release. */
export function isAction(name: string): name is AuditAction {
  return Object.hasOwn(auditOutcomes, name);
}

/** The person or client who caused an event, as far as campus-oidc can tell. */
export interface AuditActor {
  /**
   * The kind of actor:
   * - `member` and `operator`: a person who connects a client for members or for operators.
   * - `administrator`: a person who decides for the school (`platform.adminRoles`). They are signed in, or your call names them.
   * - `client`: a client with a code or a token.
   * - `anonymous`: anyone else.
   */
  readonly kind: 'member' | 'operator' | 'administrator' | 'client' | 'anonymous';
  /** The member's id or the `client_id`, if it is known. */
  readonly id?: string | undefined;
}

/** The way in which a tool call ended. */
export type ToolOutcome =
  'succeeded' | 'failed' | 'fault' | 'invalid_arguments' | 'timed_out' | 'disconnected' | 'refused';

/** The complete rule of a school, so that you can set it again: `AppRule`. */
export interface AuditedRule {
  readonly access: 'allowed' | 'view_only' | 'blocked';
  readonly ask?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly pseudonym?: boolean | undefined;
  readonly limited?: readonly string[] | undefined;
}

/** A complete version of a client, so that you can approve it again. Its name and addresses are unverified claims of the client. */
export interface AuditedVersion {
  /** A digest of the name, the redirect URIs and the keys. */
  readonly digest: string;
  readonly clientName?: string | undefined;
  readonly redirectUris: readonly string[];
  readonly logoUri?: string | undefined;
  /** A digest of the logo's address and picture. */
  readonly logoDigest?: string | undefined;
  /** The approved scopes. Absent: every scope. */
  readonly scopes?: readonly string[] | undefined;
}

/** A tool call, without its arguments. */
export interface AuditedTool {
  readonly name: string;
  /**
   * The way in which the call ended. With `failed`, the tool returned an error. With `fault`, it threw an error. With `refused`, the access
   * token lacks a scope. With the others except `succeeded`, campus-oidc did not call the tool or stopped waiting for it.
   */
  readonly outcome: ToolOutcome;
  /** The subject of the call, from `ToolOutput.about`. */
  readonly about?: string | undefined;
}

/**
 * An audit event: one decision, or one change of stored data. It never contains a credential. Later releases only add members and actions
 * within a `version`.
 */
export interface AuditEvent {
  readonly version: 1;
  /** The time of the event, in ISO 8601 and UTC. */
  readonly time: string;
  /** A unique id. */
  readonly eventId: string;
  readonly siteId: string;
  readonly action: AuditAction;
  readonly outcome: 'allowed' | 'refused';
  readonly actor: AuditActor;
  /** The reason: an OAuth error code, or one of the words in `docs/reference/events.md`. */
  readonly reason?: string | undefined;
  readonly clientId?: string | undefined;
  /** The name of an application, in events that end its connections or remove it. */
  readonly clientName?: string | undefined;
  /** The unverified claims of a refused app about itself. */
  readonly claimed?: AuditedClaims | undefined;
  /** The id of the client's app, if it is known. For a registered client it is set in events of its tokens and in events that looked the client up. */
  readonly app?: string | undefined;
  /** The owner of the connection. */
  readonly memberId?: string | undefined;
  /** Replaces the id of a person who was erased: the SHA-256 of the school's id, U+0000 and the member's id, in hexadecimal. */
  readonly memberDigest?: string | undefined;
  /** `Connection.id`. */
  readonly connectionId?: string | undefined;
  /** The token family: one authorization on one device. It is unique within the connection. */
  readonly familyId?: string | undefined;
  /** The number of connections that ended, in events that can end several. */
  readonly connections?: number | undefined;
  /** The people whose connections ended, in events that can end connections of several people. At most 100. */
  readonly memberIds?: readonly string[] | undefined;
  /** The scopes of the connection or application, in events that can change them. */
  readonly scopes?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /**
   * The new limits of the connection, by the type of boundary. Empty if a limit was removed. Absent if the connection is not limited and
   * was not before.
   */
  readonly only?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The new rule of the school for the app, in decisions that set one. */
  readonly rule?: AuditedRule | undefined;
  /** The incident that blocks the app or has ended. */
  readonly incident?: string | undefined;
  /** The version of the client that the decision approves. */
  readonly approved?: AuditedVersion | undefined;
  /** `true` if this is new: the person had no connection with this client, or the document did not wait for a review. */
  readonly first?: true | undefined;
  readonly tool?: AuditedTool | undefined;
  /** The number of similar events at this school that were dropped since the last one, because there were too many. */
  readonly omitted?: number | undefined;
  /** The address that the request came from, with the proxies that you trust. Absent outside requests. */
  readonly address?: string | undefined;
  /** The `X-Request-Id` of the request if it is a short token, otherwise a generated id. Absent outside requests. */
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
