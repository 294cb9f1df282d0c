import * as z from 'zod';
import type {
  ClientAudience,
  ClientPolicy,
  ConfiguredClient,
  PolicyClient,
  StaticClient,
} from '../core/clients/client.ts';
import { assertionAudienceField } from '../core/clients/assertion-audience.ts';
import {
  audienceField,
  checkScopes,
  clientIdField,
  clientNameField,
  isFixedCallback,
  publicKeysField,
  redirectUrisField,
  scopesField,
  vendorRedirectUrisField,
} from '../core/clients/client-fields.ts';
import { clientUriField, flag, group, list, type Shape, refuse, repeated, text } from '../kernel/option-schemas.ts';
import type { ClientMembers } from '../core/enabled/client-member.ts';
import { propertiesGiven, unsuited } from '../core/enabled/client-property.ts';
import { clientMemberSchemas } from '../core/enabled/options.ts';
import { signInField } from '../core/clients/sign-in-client.ts';
import { appKindField } from '../core/known-apps/app-kind.ts';
import { appField } from '../core/known-apps/app-field.ts';
import { grantMembersOf, type KnownToClients, type Enabled } from '../core/enabled/enabled.ts';
import type { ScopeCatalogue } from '../core/scopes/scopes.ts';
import { optionError, readOptions } from '../kernel/validate.ts';
import { checkEach } from '../kernel/check-each.ts';

const coreMembers = {
  clientId: clientIdField,
  clientName: clientNameField,
  audience: audienceField,
  redirectUris: redirectUrisField,
  scopes: scopesField,
  clientSecret: text().optional(),
  publicKeys: publicKeysField,
  assertionAudience: assertionAudienceField,
  firstParty: flag.default(false),
  signIn: signInField,
  clientUri: clientUriField,
  sites: list(text('be the id of a school'), 'be an array of ids of schools').optional(),
  app: appField,
  kind: appKindField.optional(),
} satisfies Shape<Omit<StaticClient, keyof ClientMembers>>;

function checkClient(known: KnownToClients, payload: z.core.ParsePayload<PolicyClient>): void {
  const { audience, redirectUris, scopes, clientSecret, publicKeys, firstParty, signIn } = payload.value;
  const fields = grantMembersOf(known, payload.value);
  const isPublic = clientSecret === undefined && publicKeys === undefined;
  if (clientSecret !== undefined && publicKeys !== undefined)
    refuse(payload, ['publicKeys'], 'not be set together with clientSecret');
  if (publicKeys === undefined && payload.value.assertionAudience !== undefined)
    refuse(payload, ['assertionAudience'], 'not be set without publicKeys');
  if (audience === 'service') {
    if (redirectUris.length > 0) refuse(payload, ['redirectUris'], 'be empty for a service, which acts for no person');
    if (isPublic) refuse(payload, ['clientSecret'], 'be set for a service, or publicKeys');
    if (firstParty) refuse(payload, ['firstParty'], 'not be true for a service, which needs no consent');
    for (const field of fields) refuse(payload, [field], 'not be true for a service, which acts for no person');
    if (signIn) refuse(payload, ['signIn'], 'not be set for a service, which does not sign people in');
    if (scopes?.length === 0) refuse(payload, ['scopes'], 'not be empty');
    return;
  }
  if (redirectUris.length === 0 && fields.length === 0) refuse(payload, ['redirectUris'], 'not be empty');
  if (scopes?.length === 0) refuse(payload, ['scopes'], 'not be empty');
  for (const field of firstParty && isPublic ? fields : []) {
    const demand =
      'not be true for a first-party client without clientSecret or publicKeys, because anyone could claim to be it';
    refuse(payload, [field], demand);
  }
  // RFC 6749 section 10.2: without a secret, only an address that belongs to the platform tells who the client is.
  const movable = redirectUris.find((uri) => !isFixedCallback(uri));
  if (firstParty && isPublic && movable !== undefined) {
    const demand = `not be true for a public client with ${movable}; give it a clientSecret, or fixed https: callbacks only`;
    refuse(payload, ['firstParty'], demand);
  }
}

export function clientsSchema(known: KnownToClients): z.ZodType<readonly StaticClient[]> {
  const members = { ...coreMembers, ...clientMemberSchemas(known) };
  return list(
    group(members).check((payload) => checkClient(known, payload)),
    'be an array',
  );
}

/** Clients of a policy: those of vendors can have callbacks that no other client has. */
function policyClientsSchema(known: KnownToClients): z.ZodType<readonly PolicyClient[]> {
  const own = { redirectUris: vendorRedirectUrisField, scopes: coreMembers.scopes.optional() };
  const members = { ...coreMembers, ...clientMemberSchemas(known), ...own };
  return list(
    group(members).check((payload) => checkClient(known, payload)),
    'be an array',
  );
}

const notFor: Readonly<Record<ClientAudience, string>> = {
  operator: 'is for member clients only',
  member: 'is for operator clients only',
  service: 'a service cannot have: it acts for no person',
};

/** @throws TypeError for a scope that does not exist or is not for the client's audience */
function checkClientScopes({ scopes, audience }: StaticClient, path: string, catalogue: ScopeCatalogue): void {
  checkScopes(catalogue, scopes, path);
  checkEach(scopes, (scope, i) => {
    if (!catalogue.mayHave(audience, scope))
      throw optionError(`${path}[${i}]`, `not be ${scope}, which ${notFor[audience]}`);
  });
}

const without = (name: string): string => `without grants: [${name}()] of campus-oidc/grants`;

/** The clients in code, with those of policies. @throws TypeError for a wrong client or repeated id */
export function allClients(
  clients: readonly StaticClient[],
  policies: readonly ClientPolicy[],
  catalogue: ScopeCatalogue,
  { known, hasGrant, hasServices, takesKeys, hasOption }: Enabled,
): readonly ConfiguredClient[] {
  const { properties, byMember, ofServices, authentication } = known;
  const signed = authentication.find(({ isSigned }) => isSigned)?.name;
  const all: { readonly path: string; readonly own: ConfiguredClient }[] = clients.map((own, i) => ({
    path: `clients[${i}]`,
    own,
  }));
  for (const { path: place, policy } of policies) {
    const path = `${place}.clients`;
    const ofPolicy = readOptions(policyClientsSchema(known), policy.clients ?? [], path);
    policy.checkScopes?.(catalogue.rows);
    ofPolicy.forEach((own, j) => {
      const scopes =
        own.scopes ?? catalogue.of(own.audience).filter((scope) => unsuited(properties, own, scope) === undefined);
      all.push({ path: `${path}[${j}]`, own: { ...own, scopes, isVendor: true } });
    });
  }
  checkEach(all, ({ path, own }) => {
    checkClientScopes(own, `${path}.scopes`, catalogue);
    if (own.publicKeys !== undefined && !takesKeys)
      throw optionError(`${path}.publicKeys`, `not be set without clientAuthentication: ['${signed}']`);
    for (const { member, option, isOfServices } of propertiesGiven(properties, own)) {
      if (own.audience === 'service' && !isOfServices)
        throw optionError(`${path}.${member}`, 'not be set for a service, which acts for no person');
      const wrong = own.scopes.findIndex(
        (scope) => unsuited(properties, { [member]: own[member] }, scope) !== undefined,
      );
      if (wrong >= 0)
        throw optionError(`${path}.scopes[${wrong}]`, `not be ${own.scopes[wrong]} together with ${member}`);
      if (!hasOption(option)) throw optionError(`${path}.${member}`, `not be set without the option ${option}`);
    }
    if (own.audience === 'service' && !hasServices)
      throw optionError(`${path}.audience`, `not be "service" ${without(ofServices[0]?.option ?? '')}`);
    for (const { clientMember, name, option } of byMember) {
      if (own[clientMember] === true && !hasGrant(name))
        throw optionError(`${path}.${clientMember}`, `not be true ${without(option)}`);
    }
  });
  const twice = repeated(all.map(({ path, own }) => [`${path}.clientId`, own.clientId]));
  if (twice) throw optionError(...twice);
  return Object.freeze(all.map(({ own }) => own));
}
