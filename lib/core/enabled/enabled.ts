import { required, type RequestParameter } from '../../kernel/request-parameter.ts';
import { type AuthenticationMethod, type ClientAuthentication, coreAuthentication } from './client-authentication.ts';
import type { GrantMembers } from './client-member.ts';
import type { ClientProperty } from './client-property.ts';
import { coreGrantTypes, type GrantType, type StartPlace } from './grant-type.ts';

/** What a feature lets clients do. */
export interface ClientFeature {
  readonly grantType?: GrantType;
  readonly authentication?: ClientAuthentication;
  readonly clientProperties?: readonly ClientProperty[];
}

/** A grant type that a client has because of a member of its own. People authorize the client with it; it needs no redirect URI for that. */
type MemberGrant = GrantType & Required<Pick<GrantType, 'clientMember' | 'option' | 'whenOff'>>;

/** What clients can have in this release, whether it is on or off: that of the core first, and then that of features in their order. */
export interface KnownToClients {
  readonly grantTypes: readonly GrantType[];
  readonly byMember: readonly MemberGrant[];
  readonly ofServices: readonly GrantType[];
  readonly authentication: readonly ClientAuthentication[];
  readonly properties: readonly ClientProperty[];
}

export function knownToClients(features: readonly ClientFeature[]): KnownToClients {
  const grantTypes = [...coreGrantTypes, ...features.flatMap(({ grantType }) => grantType ?? [])];
  return {
    grantTypes,
    byMember: grantTypes.filter(isByMember),
    ofServices: grantTypes.filter(({ clients }) => clients === 'services'),
    authentication: [...coreAuthentication, ...features.flatMap(({ authentication }) => authentication ?? [])],
    properties: features.flatMap(({ clientProperties = [] }) => clientProperties),
  };
}

function isByMember(grantType: GrantType): grantType is MemberGrant {
  return grantType.clientMember !== undefined;
}

/** What is enabled at the endpoints to which clients post: what is always on, then what the host has switched on. */
export interface Enabled {
  /** Also what is off. */
  readonly known: KnownToClients;
  readonly grantTypes: readonly GrantType[];
  readonly authentication: readonly ClientAuthentication[];
  /** At the introspection endpoint: also what resource servers have. */
  readonly introspectionAuthentication: readonly ClientAuthentication[];
  readonly hasGrant: (name: string) => boolean;
  /** Whether there are services. */
  readonly hasServices: boolean;
  /** Whether clients can have keys in place of secrets. */
  readonly takesKeys: boolean;
  /** Those that a client that registers itself can ask for, beside what every client has. */
  readonly registered: readonly string[];
  readonly hasMethod: (name: AuthenticationMethod) => boolean;
  /** Whether the host has set the option of a feature, without which no client has the properties of that feature. */
  readonly hasOption: (name: string) => boolean;
  /** The form fields that identify and authenticate a client. Specification: Flow 1. */
  readonly clientParameters: readonly RequestParameter[];
}

/** What the host has switched on. */
interface Chosen {
  /** What the functions of `campus-oidc/grants` returned. */
  readonly grants?: readonly { readonly grantType: string; readonly registered?: boolean }[];
  readonly methods?: readonly AuthenticationMethod[];
  readonly resourceServers?: readonly { readonly publicKeys?: unknown }[];
  /** The names of the options of features that are set. */
  readonly options?: readonly string[];
}

const clientId = required('client_id', 'The client’s identifier.');

export function enabledBy(
  known: KnownToClients,
  { grants = [], methods = [], resourceServers = [], options = [] }: Chosen = {},
): Enabled {
  const switchedOn = grants.map(({ grantType }) => grantType);
  const grantTypes = known.grantTypes.filter(({ option, name }) => !option || switchedOn.includes(name));
  const authentication = known.authentication.filter(({ isOptional, name }) => !isOptional || methods.includes(name));
  const ofResourceServers = known.authentication.filter((row) =>
    resourceServers.some(({ publicKeys }) => (publicKeys !== undefined) === (row.isSigned === true)),
  );
  const takesKeys = authentication.some(({ isSigned }) => isSigned === true);
  const isNamedElsewhere = authentication.some(({ namesClient }) => namesClient);
  const fields = [clientId, ...authentication.flatMap(({ parameters }) => parameters)];
  return Object.freeze<Enabled>({
    known,
    grantTypes,
    authentication,
    introspectionAuthentication: known.authentication.filter(
      (row) => authentication.includes(row) || ofResourceServers.includes(row),
    ),
    registered: grants.flatMap(({ grantType, registered }) => (registered === true ? [grantType] : [])),
    hasGrant: (name) => grantTypes.some((each) => each.name === name),
    hasServices: grantTypes.some(({ clients }) => clients === 'services'),
    takesKeys,
    hasMethod: (name) => authentication.some((each) => each.name === name),
    hasOption: (name) => options.includes(name),
    clientParameters: isNamedElsewhere ? fields.map((field) => ({ ...field, required: false })) : fields,
  });
}

/** The members that give a client grant types, of those that it has. */
export function grantMembersOf({ byMember }: KnownToClients, client: GrantMembers): readonly (keyof GrantMembers)[] {
  return byMember.flatMap(({ clientMember }) => (client[clientMember] === true ? [clientMember] : []));
}

/** Where an interaction started; `undefined` for the authorization endpoint. */
export function startedAt({ byMember }: KnownToClients, interaction: object): StartPlace | undefined {
  const places = byMember.flatMap(({ startsAt }) => startsAt ?? []);
  return places.find(({ interactionMember }) => Reflect.get(interaction, interactionMember) !== undefined);
}

/** Whether a request for tokens is one of a service. */
export function isForService({ known }: Enabled, grantType: string | undefined): boolean {
  return known.ofServices.some(({ name }) => name === grantType);
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(names: readonly string[], word = 'or'): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${word} ${last}`;
}
