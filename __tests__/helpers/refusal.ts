import { type MetadataDocumentPolicy, OAuthError } from '../../lib/index.ts';

/** Why a policy refuses a metadata document; `undefined` if it permits it. */
export function refusalOf(
  policy: Pick<MetadataDocumentPolicy, 'checkClientId'>,
  clientId: string,
): OAuthError | undefined {
  try {
    policy.checkClientId(clientId);
    return undefined;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}
