import * as z from 'zod';
import {
  documentPolicyMethods,
  type MetadataDocumentPolicy,
  type RegistrationPolicy,
} from '../contracts/registration.ts';
import { func, hasMembers, instance, list, methods, text } from '../protocol/option-schemas.ts';
import { isObject } from '../protocol/validate.ts';

export const registrationSchema: z.ZodType<readonly RegistrationPolicy[]> = list(
  instance<RegistrationPolicy>(
    {
      name: text(),
      decide: func(),
      refusal: func().optional(),
      checkScopes: func().optional(),
      clients: z.array(z.unknown()).optional(),
    },
    'be a policy, for example loopbackClients()',
  ).meta({ type: '`RegistrationPolicy`' }),
  'be an array of policies',
);

const documentsDemand = 'be a policy, for example metadataDocuments({ documents: knownDocuments })';

export const metadataDocumentsSchema: z.ZodType<MetadataDocumentPolicy> = z
  .custom<MetadataDocumentPolicy>((value) => isObject(value) && typeof value['permits'] === 'function', documentsDemand)
  .check(hasMembers(z.object(methods(documentPolicyMethods))))
  .meta({ type: '`MetadataDocumentPolicy`' });
