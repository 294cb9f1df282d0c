import type { Scope } from '../protocol/scopes.ts';
import type { ClientInfo } from './client.ts';
import type { MaybePromise, Member, Site } from './platform.ts';

/** The question to a consent policy. */
export interface ConsentRequest {
  readonly site: Site;
  readonly member: Member;
  readonly client: ClientInfo;
  /** What is asked for, already narrowed by the policies before this one. */
  readonly scopes: readonly Scope[];
}

/** A policy's answer; `text` is shown to the person. */
export type ConsentVerdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'narrow'; readonly scopes: readonly Scope[]; readonly text?: string | undefined }
  | { readonly decision: 'deny'; readonly text?: string | undefined };

/** May this member grant these scopes to this client? No answer means yes. */
export type ConsentPolicy = (request: ConsentRequest) => MaybePromise<ConsentVerdict | undefined>;
