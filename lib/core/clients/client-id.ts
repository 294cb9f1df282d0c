/** Whether a `client_id` is the URL of a metadata document. Specification: Registration rules 3. */
export function isMetadataDocumentId(clientId: string): boolean {
  return clientId.startsWith('https://');
}
