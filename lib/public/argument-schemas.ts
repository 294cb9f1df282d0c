import * as z from 'zod';
import type { ProvenCall } from '../core/bearer/key-proof.ts';
import { honoursField } from '../core/boundaries/honours-field.ts';
import type { Context } from 'koa';
import type {
  Application,
  ApplicationChange,
  Applications,
  NewApplication,
  SecretRotation,
} from '../core/applications/application.ts';
import { type AcceptedTokens, allAudiences } from '../core/clients/client.ts';
import type { Connections } from '../core/connections/connection.ts';
import type { ExpectedVersion } from '../core/clients/expected-version.ts';
import type { ListQuery } from '../core/clients/listed-client.ts';
import type { Apps } from '../core/apps/apps.ts';
import { namedAppArgument as namedApp } from '../core/apps/named-app.ts';
import { appRule } from '../core/access/app-rule.ts';
import type { DiagnoseOptions, HealthOptions } from '../kernel/finding.ts';
import type { ClientMembers } from '../core/enabled/client-member.ts';
import { applicationMemberSchemas } from '../core/enabled/options.ts';
import { signInField } from '../core/clients/sign-in-client.ts';
import { audienceField } from '../core/clients/client-fields.ts';
import { schoolArgument as site } from '../host/site-argument.ts';
import type { Arguments, ArgumentsOf } from '../kernel/arguments.ts';
import type { NewAppRequest, AppRequests, RequestDecision } from '../core/applications/request.ts';
import { flag, group, type Shape, refuse, text, whole } from '../kernel/option-schemas.ts';
import { grantMembersOf, type KnownToClients } from '../core/enabled/enabled.ts';
import { knownAppId } from '../core/known-apps/app-field.ts';
import { isObject } from '../kernel/validate.ts';
import { isNodeRequest } from '../http/node-request.ts';
import { isWebRequest } from '../http/web-request.ts';

const memberId = text();
const id = z.string();
const clientId = z.string();
const scopes = z.array(z.string(), 'be an array of scopes');
/** Out of range, and even `NaN` from a query without the parameter, it becomes the nearest valid number. */
const number = z.custom((value) => typeof value === 'number', 'be a number').optional();
const queryMembers = {
  search: z.string().optional(),
  page: number,
  size: number,
  audience: z.enum(allAudiences).optional(),
  source: z.enum(['static', 'registered', 'document', 'application']).optional(),
  confidential: flag.optional(),
  status: z.enum(['allowed', 'view_only', 'needs_approval', 'blocked']).optional(),
  unusedDays: number,
  sort: z.enum(['name', 'people', 'active', 'unused', 'new']).optional(),
} satisfies Shape<ListQuery>;
const query = group(queryMembers).optional();
const version = { version: z.string().optional() } satisfies Shape<ExpectedVersion>;
const expected = group(version).optional();
const overlap = whole('whole number of seconds', 0, 7 * 24 * 60 * 60).optional();
const changing = { ...version, by: memberId.optional() } satisfies Shape<ApplicationChange>;
const change = group(changing).optional();
const rotation = group({ ...changing, overlap } satisfies Shape<SecretRotation>).optional();
const anything = z.unknown().optional();
/** What else is wrong with an application is an `InvalidApplication`, with everything at once. */
const inputMembers = {
  clientName: anything,
  redirectUris: anything,
  scopes: anything,
  clientUri: anything,
  publicKeys: anything,
  assertionAudience: anything,
  signIn: signInField,
};
const newMembers = {
  ...inputMembers,
  audience: anything,
  confidential: flag.optional(),
  createdBy: z.string().optional(),
  app: knownAppId,
} satisfies Shape<Omit<NewApplication, keyof ClientMembers>>;
const newApplication = (known: KnownToClients) =>
  group({ ...newMembers, ...applicationMemberSchemas(known) }).check((payload) => {
    const { audience, confidential, signIn } = payload.value;
    if (audience === 'service' && confidential === false) refuse(payload, ['confidential'], 'be true for a service');
    if (audience === 'service' && signIn)
      refuse(payload, ['signIn'], 'not be set for a service, which does not sign people in');
    for (const field of audience === 'service' ? grantMembersOf(known, payload.value) : [])
      refuse(payload, [field], 'not be true for a service');
    if (audience !== 'service' && confidential === undefined) refuse(payload, ['confidential'], 'be true or false');
  });
/** A whole application may come back, changed. */
const fixed = {
  audience: anything,
  confidential: anything,
  createdBy: anything,
  app: anything,
  clientId: anything,
  version: anything,
  createdAt: anything,
  changedAt: anything,
  changedBy: anything,
  people: anything,
  lastActiveAt: anything,
  state: anything,
};
const changedMembers = { ...inputMembers, ...fixed } satisfies Shape<Omit<Application, keyof ClientMembers>>;

const limitsArgument = z.record(
  z.string(),
  z.array(z.string(), 'be an array of ids'),
  'be an object with ids by the type of boundary, for example { class: ["7b"] }',
);

const noteMembers = {
  by: memberId.optional(),
  note: z.string().max(1000, 'have at most 1,000 characters').optional(),
};
const details = group({ ...noteMembers, ...version }).optional();
const detailsOfReset = group({ by: memberId.optional(), ...version }).optional();

const endingDemand = 'be { app } or { role }, for example { app: "claude" }';
const ending = z
  .strictObject({ app: namedApp.optional(), role: text().optional(), cursor: z.string().optional() }, endingDemand)
  .refine(({ app, role }) => app !== undefined || role !== undefined, endingDemand);

export const connections: ArgumentsOf<Connections> = {
  list: { site, memberId, query },
  find: { site, memberId, id },
  narrow: { site, memberId, id, scopes },
  givable: { site, memberId, id },
  widen: { site, memberId, id, scopes, only: limitsArgument.optional(), expected },
  limit: { site, memberId, id, only: limitsArgument, expected },
  revoke: { site, memberId, id },
  revokeDevice: { site, memberId, id, deviceId: id },
  revokeAll: { site, memberId },
  end: { site, of: ending },
};

const asked = { memberId: memberId.optional(), email: text().optional(), scopes: scopes.optional() };
const question = z
  .union(
    [
      z.strictObject({ app: z.string(), ...asked }),
      z.strictObject({ clientId: z.string(), ...asked }),
      z.strictObject({ reference: text().max(200, 'have at most 200 characters') }),
    ],
    'be { clientId } or { app }, with memberId or email, and scopes, or { reference } alone',
  )
  .refine(
    (of) => 'reference' in of || of.memberId === undefined || of.email === undefined,
    'have memberId or email, not both',
  )
  .meta({ isShown: true });

export const apps: ArgumentsOf<Apps> = {
  list: {
    site,
    query: group({ ...queryMembers, waiting: flag.optional(), used: flag.optional() }).optional(),
  },
  find: { site, app: namedApp },
  set: { site, app: namedApp, rule: appRule().meta({ isShown: true }), details },
  reset: { site, app: namedApp, details: detailsOfReset },
  allowPerson: { site, app: namedApp, memberId, details },
  resetPerson: { site, app: namedApp, memberId, details: detailsOfReset },
  allowedPeople: { site, app: namedApp },
};

export const applications = (known: KnownToClients): ArgumentsOf<Applications> => ({
  create: { site, application: newApplication(known) },
  list: { site, query },
  find: { site, clientId },
  update: {
    site,
    clientId,
    changes: group({ ...changedMembers, ...applicationMemberSchemas(known) }),
    options: change,
  },
  rotateSecret: { site, clientId, options: rotation },
  secrets: { site, clientId },
  connections: { site, clientId },
  remove: { site, clientId, expected },
});

const request = group({
  app: z.string(),
  clientName: anything,
  redirectUris: anything.optional(),
  note: z.string().optional(),
} satisfies Shape<NewAppRequest>);
const status = z.enum(['open', 'granted', 'declined', 'decided']).optional();
const decision = group({ ...version, by: memberId.optional() } satisfies Shape<RequestDecision>).optional();

export const requests: ArgumentsOf<AppRequests> = {
  list: { site, query: group({ ...queryMembers, memberId: memberId.optional(), status }).optional() },
  find: { site, id },
  ask: { site, memberId, request },
  withdraw: { site, memberId, id },
  grant: { site, id, clientId, decision },
  decline: { site, id, answer: z.string().optional(), decision },
};

const isContext = (value: unknown): boolean => isObject(value) && isObject(value['req']) && isObject(value['app']);
const isRequest = (value: unknown): boolean => isContext(value) || isNodeRequest(value) || isWebRequest(value);
const origins = z.array(z.string(), 'be an array of origins').optional();

export const campus: Readonly<Record<'verify' | 'siteOf' | 'explain' | 'health' | 'diagnose', Arguments>> = {
  verify: {
    site,
    token: z.string(),
    accepted: group({
      audience: z.array(audienceField).optional(),
      honours: honoursField.optional(),
      proof: z.string().optional(),
      method: z.string().optional(),
      address: z.string().optional(),
    } satisfies Shape<AcceptedTokens & Partial<ProvenCall>>)
      .check((payload) => {
        const { proof, method, address } = payload.value;
        const given = [proof, method, address].filter((each) => each !== undefined);
        if (given.length % 3 > 0) refuse(payload, [], 'have proof, method and address together');
      })
      .optional(),
  },
  siteOf: { request: z.custom<Context>(isRequest, 'be a Koa context, a request of Node or a Request') },
  explain: { site, question },
  health: { '': group({ write: flag.optional() } satisfies Shape<HealthOptions>).optional() },
  diagnose: { '': group({ origins } satisfies Shape<DiagnoseOptions>).optional() },
};
