import type { ApplicationIssuer } from '../../clients/application-records.ts';
import type { OneTimeSecrets } from '../../clients/one-time-secrets.ts';
import type { Applications } from '../../contracts/application.ts';
import type { ProgramRequests } from '../../contracts/program-request.ts';
import type { Site } from '../../contracts/platform.ts';
import type { RegistrationExplanation } from '../../contracts/registration.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Scope } from '../../protocol/scopes.ts';
import type { Core } from '../../records/core.ts';
import { messagePage } from '../kit/error-page.ts';
import type { MemberPageRequest, MemberPagesOptions } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';

export interface ApplicationPagesOptions extends MemberPagesOptions, Pick<Core, 'catalogue'> {
  readonly applications: Applications;
  readonly requests: ProgramRequests;
  /** What an application needs so that the tools serve its members. */
  readonly toolScopes: readonly Scope[];
  readonly issuer: ApplicationIssuer;
  readonly secrets: OneTimeSecrets;
  readonly connectionsPath: string | undefined;
  /** Absent if nobody can register here. */
  readonly explain?: ((site: Site, body: unknown) => Promise<RegistrationExplanation>) | undefined;
}

export type ApplicationPageRequest = ApplicationPagesOptions & MemberPageRequest;

export function isConflict(error: unknown): boolean {
  return error instanceof OAuthError && error.status === 409;
}

export function missing({ path, context }: ApplicationPageRequest): PageBuilder {
  const action = { text: 'applications.back', href: path } as const;
  const values = { school: context.site.name };
  return messagePage({ title: 'missing.title', texts: ['missing.application'], values, status: 404, action });
}
