import * as z from 'zod';
import type { ConsentPolicy } from '../contracts/consent.ts';
import { platformMethods, type SchoolPlatform } from '../contracts/platform.ts';
import type { MetadataDocumentPolicy, RegistrationPolicy } from '../contracts/registration.ts';
import { type Store, storeMethods } from '../contracts/store.ts';
import { func, hasMembers, instance, list, methods, text } from '../protocol/option-schemas.ts';
import { isObject } from '../protocol/validate.ts';

export const operatorRolesSchema: z.ZodType<readonly string[]> = list(z.string(), 'be an array of strings')
  .prefault(['owner', 'admin'])
  .describe('Roles that make a member an operator.');

const platformMembers = {
  ...methods(platformMethods),
  operatorRoles: operatorRolesSchema,
};

export const platformSchema: z.ZodType<SchoolPlatform> = z
  .custom<SchoolPlatform>(isObject, 'be an object')
  .meta({ description: 'What only the host knows.', type: '`SchoolPlatform`' })
  .check((payload) => {
    // An instance of a class has fields of its own; an unknown member of a plain object is a mistake.
    const schema = isPlain(payload.value) ? z.strictObject(platformMembers) : z.object(platformMembers);
    hasMembers(schema)(payload);
  });

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const storeSchema: z.ZodType<Store> = instance<Store>(
  methods(storeMethods),
  'be a store, for example memoryStore()',
).meta({ description: 'Where everything is stored.', type: '`Store`' });

export const consentSchema: z.ZodType<readonly ConsentPolicy[]> = list(
  func<ConsentPolicy>().meta({ type: '`ConsentPolicy`' }),
  'be an array of functions',
).describe('Called in order. Each may narrow the scopes that the previous one left, or deny.');

export const registrationSchema: z.ZodType<readonly RegistrationPolicy[]> = list(
  instance<RegistrationPolicy>(
    { name: text(), decide: func(), refusal: func().optional(), clients: z.array(z.unknown()).optional() },
    'be a policy, for example loopbackClients()',
  ).meta({ type: '`RegistrationPolicy`' }),
  'be an array of policies',
).describe('Called in order. The first verdict wins. Without a policy there is no registration endpoint.');

const documentsDemand = 'be a policy: what metadataDocuments({ hosts: [] }) returns';

export const metadataDocumentsSchema: z.ZodType<MetadataDocumentPolicy> = z
  .custom<MetadataDocumentPolicy>((value) => isObject(value) && typeof value['permits'] === 'function', documentsDemand)
  .check(hasMembers(z.object(methods(['checkDocument', 'ceiling']))))
  .meta({
    description: 'Which Client ID Metadata Documents may be clients. Without it, none.',
    type: '`MetadataDocumentPolicy`',
  });
