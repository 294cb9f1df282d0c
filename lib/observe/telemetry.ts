/** A request for one of this service's routes. @internal */
export interface ObservedRequest {
  /** As the caller sent it: anything. */
  readonly method: string;
  /** The path in the table of routes, with `:id` for what differs. */
  readonly route: string;
  readonly scheme: 'http' | 'https';
  /** Absent if the platform failed to find the school. */
  readonly siteId: string | undefined;
  /** When it arrived: `performance.now()`. */
  readonly started: number;
}

/** What a request came to. @internal */
export interface RequestOutcome {
  /** The HTTP status. */
  readonly status: number;
  /** The error code of the response, or of the redirect to the client. */
  readonly error: string | undefined;
}

/** What is called: something that the host has passed in, or that is elsewhere. @internal */
export type Observed = 'store' | 'platform' | 'document';

/** A call of something that the host has passed in, or that is elsewhere. @internal */
export interface ObservedCall {
  readonly to: Observed;
  /** The name of the method, for example `findMember`. */
  readonly operation: string;
}

/** What became of a code, a refresh token, a token family or connections. @internal */
export interface TokenCount {
  readonly count: 'issued' | 'refused' | 'revoked';
  /** A `grant_type` that is enabled; absent for `revoked`, and for other requests to the token endpoint. */
  readonly grantType?: string | undefined;
  /** An OAuth error code, `lost_race`, `replayed`, or why connections ended. */
  readonly reason?: string | undefined;
  /** How many, if not one. */
  readonly amount?: number | undefined;
}

/**
 * Observes the service at work: what `openTelemetry()` of `campus-oidc/opentelemetry` returns. Nothing that it gets is a
 * credential, a member or an address; `client` and `siteId` are for traces only, since there can be any number of them.
 */
export interface Telemetry {
  /** Whether anything is recorded now. Requests and calls are not observed while it is not. */
  isOn(): boolean;
  /** Handles a request. What `handle` throws is thrown. @internal */
  request(observed: ObservedRequest, handle: () => Promise<RequestOutcome>): Promise<void>;
  /** Makes a call, and returns or throws what it does. @internal */
  call<T>(observed: ObservedCall, make: () => Promise<T>): Promise<T>;
  /** Tells which client the current request comes from, once that client was found: a name in the request is not enough. @internal */
  client(clientId: string): void;
  /** @internal */
  tokens(counted: TokenCount): void;
  /** There is one engine more, or one fewer, in memory. @internal */
  engines(change: 1 | -1): void;
}
