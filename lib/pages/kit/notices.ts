import type { CsrfTokens } from './csrf-tokens.ts';
import type { MemberPageContext } from './member-page.ts';

// A redirect tells the next page what was done. Visitors can change an address, so it carries a proof.

type NoticeContext = Pick<MemberPageContext, 'site' | 'member' | 'path'>;

type NoticeValues = Readonly<Record<string, string>>;

/** The query of a redirect that passes these values to the next page of this group, for this person. */
export function noticeQuery(csrfTokens: CsrfTokens, context: NoticeContext, values: NoticeValues): NoticeValues {
  const proof = csrfTokens.issue(bindingOf(context, values));
  return { ...values, proof };
}

/** The values of these names in a query, if the service itself wrote them. */
export function noticeOf<N extends string>(
  csrfTokens: CsrfTokens,
  context: NoticeContext,
  query: Readonly<Record<string, unknown>>,
  names: readonly N[],
): Readonly<Record<N, string>> | undefined {
  const { proof } = query;
  const values = Object.fromEntries(names.map((name) => [name, query[name]]));
  if (typeof proof !== 'string' || !hasTexts(values, names)) return undefined;
  return csrfTokens.verify(bindingOf(context, values), proof) ? values : undefined;
}

function bindingOf({ site, member, path }: NoticeContext, values: NoticeValues) {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return { siteId: site.id, form: `notice ${path} ${JSON.stringify(sorted)}`, memberId: member.id };
}

function hasTexts<N extends string>(
  values: Readonly<Record<string, unknown>>,
  names: readonly N[],
): values is Readonly<Record<N, string>> {
  return names.every((name) => typeof values[name] === 'string');
}
