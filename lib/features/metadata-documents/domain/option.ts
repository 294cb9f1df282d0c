import * as z from 'zod';
import type { Member, Site } from '../../../host/school-platform.ts';
import { hasMembers, methods, type Read } from '../../../kernel/option-schemas.ts';
import { isObject } from '../../../kernel/validate.ts';
import { documentPolicyMethods, type MetadataDocumentPolicy } from './document-policy.ts';

/** The option of `createCampus` that switches metadata documents on. */
export interface MetadataDocumentsOption {
  /** The policy that decides which Client ID Metadata Documents are accepted as clients. @default none */
  readonly metadataDocuments?: MetadataDocumentPolicy | undefined;
}

const apps = z.array(z.string(), 'be an array of ids').optional();

const policy: z.ZodType<MetadataDocumentPolicy> = z
  .custom<MetadataDocumentPolicy>(
    // The options of a policy have none of them, a policy for another release has some.
    (value) => isObject(value) && documentPolicyMethods.some((name) => typeof value[name] === 'function'),
    'be a policy, for example metadataDocuments({ documents: knownDocuments })',
  )
  .check(hasMembers(z.object({ ...methods(documentPolicyMethods), apps })))
  .meta({ type: '`MetadataDocumentPolicy`' });

/** @internal */
export const metadataDocumentsOption = { metadataDocuments: policy.optional() };

/** @internal */
export type MetadataDocumentsSettings = Read<typeof metadataDocumentsOption>;

declare module '../../../options/options.ts' {
  interface FeatureOptions<School extends Site, Person extends Member> extends MetadataDocumentsOption {}
  /** @internal */
  interface FeatureSettings extends MetadataDocumentsSettings {}
  /** @internal */
  interface FeaturePolicies {
    /** Absent if no metadata document is a client. */
    readonly documents: MetadataDocumentPolicy | undefined;
  }
}
