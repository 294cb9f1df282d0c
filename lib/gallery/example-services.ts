import type { ApplicationIssuer } from '../clients/application-records.ts';
import type { ClientFinder } from '../clients/finder.ts';
import { pageOf } from '../clients/listing.ts';
import { clientMetadata } from '../clients/metadata.ts';
import type { OneTimeSecrets } from '../clients/one-time-secrets.ts';
import type { ProgramRules } from '../connections/listed-programs.ts';
import type { Applications } from '../contracts/application.ts';
import type { Connections } from '../contracts/connection.ts';
import type { DocumentReviews } from '../contracts/document-review.ts';
import type { Site } from '../contracts/platform.ts';
import type { Programs } from '../contracts/program.ts';
import type { ProgramRequests } from '../contracts/program-request.ts';
import type { RegistrationExplanation } from '../contracts/registration.ts';
import type { AccessRule, HostPlatform } from '../host/platform.ts';
import { ReviewConflict } from '../metadata-documents/decisions.ts';
import type { ConsentPreview } from '../pages/consent-preview.ts';
import type { CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { ScopeCatalogue } from '../protocol/scopes.ts';
import { digest } from '../runtime/crypto.ts';
import { exampleData, noData, people } from './example-data.ts';

/** What the pages of members are made from. */
export interface ExampleServices {
  readonly platform: HostPlatform;
  readonly access: AccessRule;
  readonly csrfTokens: CsrfTokens;
  readonly clients: ClientFinder;
  readonly applications: Applications;
  readonly applicationIssuer: ApplicationIssuer;
  readonly oneTimeSecrets: OneTimeSecrets;
  readonly connections: Connections;
  readonly documents: DocumentReviews;
  readonly programs: Programs;
  readonly programRules: ProgramRules;
  readonly requests: ProgramRequests;
  /** Absent if nobody can register here. */
  readonly explain: ((site: Site, body: unknown) => Promise<RegistrationExplanation>) | undefined;
  readonly preview: ConsentPreview;
}

/** Who looks at an example, and what there is. */
export interface Scene {
  readonly as?: keyof typeof people | undefined;
  /** Whether the school has nothing yet. */
  readonly empty?: boolean | undefined;
}

/** An example only shows: a form that would do something is answered as if somebody else had been faster. */
const refuse = async (): Promise<never> => {
  throw new OAuthError('conflict', 'an example changes nothing', { status: 409 });
};

/** Services with invented data. They read and write nothing. */
export function exampleServices(
  catalogue: ScopeCatalogue,
  preview: ConsentPreview,
  { as, empty }: Scene,
): ExampleServices {
  const data = empty === true ? noData : exampleData(catalogue);
  const list = <T extends object>(rows: readonly T[], query?: object) => pageOf(rows, async (row) => row, query);
  const byId = <T extends { readonly clientId?: string | undefined }>(rows: readonly T[], id: string) =>
    rows.find(({ clientId }) => clientId === id);
  const connection = async (_site: Site, _member: string, id: string) =>
    data.connections.find((each) => each.id === id);
  return {
    platform: {
      findSite: async () => undefined,
      signedInMember: async () => as && { memberId: people[as].id },
      signInUrl: async () => '#',
      findMember: async (_site, id) => Object.values(people).find((person) => person.id === id),
    },
    access: (member, audience) => {
      if (!member || member.roles.length === 0) return 'no-role';
      return audience === 'member' || member.id === people.operator.id ? 'permitted' : 'no-operator';
    },
    csrfTokens: { issue: () => '', verify: (_binding, token) => token !== 'expired' },
    clients: async (_siteId, id) => {
      const found = byId(data.applications, id);
      return found && clientMetadata(found);
    },
    applications: {
      list: async (_site, query) => list(data.applications, query),
      find: async (_site, id) => byId(data.applications, id),
      secrets: async () => [{ lastUsedAt: undefined }],
      connections: async () => 12,
      create: refuse,
      update: refuse,
      rotateSecret: refuse,
      remove: refuse,
    },
    applicationIssuer: {
      create: refuse,
      rotateSecret: refuse,
      hasSecret: async (_site, { clientSecret }) => clientSecret !== undefined,
    },
    oneTimeSecrets: {
      reserve: async ({ form }) =>
        form === digest('twice') ? undefined : { clientId: 'timer', credentials: { clientId: 'timer' } },
      take: async ({ form }) =>
        form === 'gone' ? undefined : { clientId: 'timer', clientSecret: 'an-example-of-a-secret' },
    },
    connections: {
      list: async (_site, _member, query) => list(data.connections, query),
      find: connection,
      listAll: async (_site, query) => list(data.connected, query),
      findClient: async (_site, id) => byId(data.connected, id),
      listBlocked: async () => list([]),
      narrow: connection,
      revoke: refuse,
      revokeDevice: refuse,
      revokeAll: refuse,
      block: refuse,
      unblock: refuse,
      revokeClient: refuse,
    },
    documents: {
      list: async (_site, query) => list(data.documents, query),
      find: async (_site, id) => byId(data.documents, id),
      approve: async (_site, id) => {
        throw new ReviewConflict(id, 'version');
      },
      reject: refuse,
    },
    programs: {
      list: async (_site, query) => list(data.programs, query),
      find: async (_site, target) => {
        const [claude] = exampleData(catalogue).programs;
        return {
          clientName: 'Study Timer',
          rule: { access: 'allowed' },
          from: 'default',
          people: 12,
          ...('program' in target ? claude : target),
        };
      },
      set: refuse,
      reset: refuse,
    },
    programRules: async () => new Map(),
    requests: {
      list: async (_site, query) =>
        list(
          data.requests.filter(({ status }) => query?.status === undefined || status === query.status),
          query,
        ),
      find: async (_site, id) => data.requests.find((request) => request.id === id),
      ask: refuse,
      withdraw: refuse,
      grant: refuse,
      decline: refuse,
    },
    explain: async () => ({
      outcome: 'refused',
      policy: 'loopback clients',
      status: 400,
      body: { error: 'invalid_redirect_uri', error_description: 'redirect_uris[0] must be a loopback address' },
    }),
    preview,
  };
}
