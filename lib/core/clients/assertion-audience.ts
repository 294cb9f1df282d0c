import * as z from 'zod';
import { originsOf, type SiteOrigins } from '../../host/origins.ts';
import { paths } from '../../http/paths.ts';
import type { JsonMembers } from '../../kernel/json.ts';

/** Which address the assertions of a client may have as their audience, beside the issuer. */
export type AssertionAudience = 'token_endpoint';

/** @internal */
export const assertionAudienceField = z.literal('token_endpoint', 'be "token_endpoint"').optional();

export function assertionAudienceProblem(value: unknown): string | undefined {
  return assertionAudienceField.safeParse(value).success ? undefined : 'is not "token_endpoint"';
}

/** A client of which the platform, or an administrator of a school, says what it sends. */
export interface AssertingClient {
  /**
   * Also accepts assertions with the token endpoint as audience, for a client with `publicKeys` whose software sends only these. Another
   * server that claims this token endpoint as its own can use such an assertion here. RFC 10070 section 4. @default the issuer alone
   */
  readonly assertionAudience?: AssertionAudience | undefined;
}

/** As the record of a client has it. */
export function assertionAudienceMetadata({ assertionAudience }: AssertingClient): {
  readonly campus_assertion_audience?: AssertionAudience;
} {
  return assertionAudience === undefined ? {} : { campus_assertion_audience: assertionAudience };
}

/** Reads it from there. What an app says of itself does not have it. */
export function assertionAudienceOf({ campus_assertion_audience: stored }: JsonMembers): AssertionAudience | undefined {
  return stored === 'token_endpoint' ? stored : undefined;
}

/** The audiences that an assertion of a client may have, each of them alone: the issuer, also as it was before the school moved. */
export function assertionAudiences(site: SiteOrigins, client: JsonMembers): readonly string[] {
  const takesEndpoint = assertionAudienceOf(client) === 'token_endpoint';
  return originsOf(site).flatMap((issuer) => (takesEndpoint ? [issuer, `${issuer}${paths.token}`] : issuer));
}
