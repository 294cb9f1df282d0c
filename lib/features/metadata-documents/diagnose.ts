import type { ServedCopy } from '../../core/clients/client-source.ts';
import { type Finding, finder } from '../../kernel/finding.ts';

export const documentFindings = {
  /** The host of a metadata document did not answer the last request of this process, so a copy is in use. */
  'document-copy': [
    'warning',
    'allow the processes to connect to this host (DNS, firewall, proxy). If it answers 403, wait: hosts behind Cloudflare do that for hours',
  ],
} as const;

const found = finder(documentFindings);

/** Documents whose host does not answer, while nobody notices it. */
export function servedCopyFindings(copies: readonly ServedCopy[]): Finding[] {
  return copies.map(({ clientId, reason, date }) => {
    const copy = date === undefined ? 'its last copy is used for up to 7 days' : `the copy of ${date} is used`;
    return found('document-copy', `${clientId} cannot be fetched, so ${copy}: ${reason}`);
  });
}
