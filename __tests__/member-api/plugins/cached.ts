import { useResponseCache } from '@graphql-yoga/plugin-response-cache';
import type { MemberContext } from 'campus-oidc/member-api';

export const cached = useResponseCache({
  ttl: 2_000, // milliseconds
  session: (_request, { token }: MemberContext) => token.cacheKey,
});
