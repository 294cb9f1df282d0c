import { createHmac, randomBytes } from 'node:crypto';
import type { RouteCall } from '../../http/route.ts';
import type { MemberPageContext } from './member-page.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { sameText } from '../../kernel/crypto.ts';
import { type KeyRing, siteSecret } from '../../core/keys/keys.ts';

const lifetimeSeconds = 12 * 60 * 60;

/** A token is valid only for the form and the member that it was issued for. */
export interface CsrfBinding {
  readonly siteId: string;
  /** The page's path, or what identifies the interaction. */
  readonly form: string;
  readonly memberId: string;
}

export interface CsrfTokens {
  /** Each token is different, so that it also identifies one rendering of the form. */
  issue(binding: CsrfBinding): string;
  verify(binding: CsrfBinding, token: string | undefined): boolean;
}

/** The first cookie secret signs, all verify: secrets can be rotated while forms are open. */
export function createCsrfTokens(keys: KeyRing): CsrfTokens {
  return {
    issue(binding) {
      const payload = `${epochSeconds() + lifetimeSeconds}.${randomBytes(9).toString('base64url')}`;
      return `${payload}.${sign(keys.shared().cookies[0] ?? '', binding, payload)}`;
    },
    verify(binding, token = '') {
      const [expiresAt = '', nonce = '', signature = ''] = token.split('.');
      const payload = `${expiresAt}.${nonce}`;
      const signed = keys.shared().cookies.some((secret) => sameText(signature, sign(secret, binding, payload)));
      return signed && Number(expiresAt) > epochSeconds();
    },
  };
}

function sign(secret: string, { siteId, form, memberId }: CsrfBinding, payload: string): string {
  return createHmac('sha256', siteSecret(secret, siteId, 'form'))
    .update(JSON.stringify([form, memberId, payload]))
    .digest('base64url');
}

// A redirect tells the next page what was done. Visitors can change an address, so it carries a proof.

interface NoticeRequest {
  readonly kit: { readonly csrfTokens: CsrfTokens };
  readonly context: MemberPageContext;
  readonly call: RouteCall;
}

type NoticeValues = Readonly<Record<string, string>>;

/** The query of a redirect that passes these values to the next page of this group, for this person. */
export function noticeQuery({ kit, context }: NoticeRequest, values: NoticeValues): NoticeValues {
  return { ...values, proof: kit.csrfTokens.issue(bindingOf(context, values)) };
}

export function noticeAddress(path: string, request: NoticeRequest, values: NoticeValues): string {
  return `${path}?${new URLSearchParams(noticeQuery(request, values)).toString()}`;
}

export function noticeOf<N extends string>(
  { kit, context, call }: NoticeRequest,
  names: readonly N[],
): Readonly<Record<N, string>> | undefined {
  const { query } = call.ctx;
  const { proof } = query;
  const values = Object.fromEntries(names.map((name) => [name, query[name]]));
  if (typeof proof !== 'string' || !hasTexts(values, names)) return undefined;
  return kit.csrfTokens.verify(bindingOf(context, values), proof) ? values : undefined;
}

function bindingOf({ site, member, path }: MemberPageContext, values: NoticeValues): CsrfBinding {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return { siteId: site.id, form: `notice ${path} ${JSON.stringify(sorted)}`, memberId: member.id };
}

function hasTexts<N extends string>(
  values: Readonly<Record<string, unknown>>,
  names: readonly N[],
): values is Readonly<Record<N, string>> {
  return names.every((name) => typeof values[name] === 'string');
}
