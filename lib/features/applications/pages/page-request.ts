import type { GrantMembers } from '../../../core/enabled/client-member.ts';
import type { ApplicationIssuer } from '../domain/application-records.ts';
import type { OneTimeSecrets } from '../domain/one-time-secrets.ts';
import type { Application, Applications } from '../../../core/applications/application.ts';
import type { ClientFinder } from '../../../core/clients/client-finder.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import type { IdTokenAlgorithm } from '../../../core/keys/keys.ts';
import type { McpEndpoint } from '../../../plugin-contract/plugin.ts';
import type { Apps } from '../../../core/apps/apps.ts';
import type { ShownVersions } from '../../../core/access/app-review.ts';
import type { SchoolRolesFinder } from '../../../core/access/school-roles.ts';
import type { OfPlatform } from '../../../core/access/look-ups.ts';
import type { ConnectRequests, AppRequests } from '../../../core/applications/request.ts';
import type { Member, Site } from '../../../host/school-platform.ts';
import type { RegistrationExplanation } from '../../../core/clients/registered-metadata.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { identityScopes, type Scope, type ScopeCatalogue } from '../../../core/scopes/scopes.ts';
import type { ApplicationField } from '../../../pages/kit/application-field.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import type { MemberPageRequest, MemberPagesOptions } from '../../../pages/kit/page-access.ts';
import type { ConsentPreview } from '../../../pages/consent-preview.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { endpointFor } from '../../../pages/set-up/steps.ts';
import type { Enabled } from '../../../core/enabled/enabled.ts';
import type { SoftwareOf } from './software-kind.ts';

/** What the pages of administrators, and of members who ask for applications, have in common. */
export interface SharedPagesOptions extends MemberPagesOptions {
  /** Where a person sees whether their app has arrived. */
  readonly checkPath: string | undefined;
  readonly catalogue: ScopeCatalogue;
  readonly enabled: Enabled;
  /** What features add to the form of an application. */
  readonly fields: readonly ApplicationField[];
  readonly applications: Applications;
  readonly requests: AppRequests & ConnectRequests;
  /** Finds clients without a request to another server. */
  readonly clients: ClientFinder;
  /** Where the tools are served. */
  readonly endpoints: readonly McpEndpoint[];
}

export interface ApplicationPagesOptions extends SharedPagesOptions {
  /** How ID tokens can be signed at a school now. */
  readonly idTokenAlgorithms: (site: Site) => readonly IdTokenAlgorithm[];
  readonly apps: Apps;
  /** `apps.find` without what is to be reviewed. */
  readonly findListed: Apps['find'];
  readonly ofPlatform: OfPlatform;
  readonly schoolRoles: SchoolRolesFinder;
  /** What waits for a review. */
  readonly documents: Pick<ShownVersions, 'list'>;
  /** The pages on which the school decides on apps, if they exist. */
  readonly connectionsPath: string | undefined;
  readonly issuer: ApplicationIssuer;
  readonly secrets: OneTimeSecrets;
  readonly preview: ConsentPreview;
  /** Absent if nobody can register here. */
  readonly explain?: ((site: Site, body: unknown) => Promise<RegistrationExplanation>) | undefined;
}

export type ApplicationPageRequest = ApplicationPagesOptions & MemberPageRequest;

/** What an application for an app needs: the scopes in the challenge of the address that the app is given. */
export function toolScopes({ endpoints }: ApplicationPageRequest, audience: ClientAudience): readonly Scope[] {
  if (audience === 'service') return [];
  return endpointFor(endpoints, audience)?.scopes ?? identityScopes;
}

/** Each of these members once. */
export async function membersOf(
  { kit, context }: ApplicationPageRequest,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Member | undefined>> {
  const find = async (id: string) => [id, await kit.platform.findMember(context.site, id)] as const;
  return new Map(await Promise.all([...new Set(ids)].map(find)));
}

export function isConflict(error: unknown): boolean {
  return error instanceof OAuthError && error.status === 409;
}

export function missing({ path, context }: ApplicationPageRequest): PageBuilder {
  const action = { text: 'applications.title', href: path } as const;
  const values = { school: context.site.name };
  return memberMessage(context, {
    title: 'missing.title',
    texts: ['missing.application'],
    values,
    status: 404,
    action,
  });
}

/** The fields of features that a form has. @param before - the application that it changes */
export function fieldsIn(
  { enabled, fields }: ApplicationPageRequest,
  { audience, signIn }: SoftwareOf,
  before?: Application,
): readonly ApplicationField[] {
  return fields.filter(({ isIn }) => isIn({ enabled, audience, isSignIn: signIn !== undefined, before }));
}

/** What its administrators are asked: whether it gets the grant types that are on. */
export function askedFields({ enabled }: ApplicationPageRequest): readonly (keyof GrantMembers)[] {
  return enabled.known.byMember.flatMap(({ name, clientMember }) => (enabled.hasGrant(name) ? [clientMember] : []));
}
