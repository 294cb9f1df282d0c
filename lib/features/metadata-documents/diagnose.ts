import type { ServedCopy } from '../../core/clients/client-source.ts';
import { type Finding, finder } from '../../kernel/finding.ts';

export const documentFindings = {
  /** The host of a metadata document did not answer when this process last asked, and a copy serves. */
  'document-copy': [
    'warning',
    'let the processes connect to this host: DNS, firewall, proxy; if it refuses them with 403, as hosts behind Cloudflare do for hours, wait',
  ],
} as const;

const found = finder(documentFindings);

/** Documents whose host does not answer, while nobody notices it. */
export function servedCopyFindings(copies: readonly ServedCopy[]): Finding[] {
  return copies.map(({ clientId, reason, date }) => {
    const copy = date === undefined ? 'its last copy serves for up to 7 days' : `the copy of ${date} serves`;
    return found('document-copy', `${clientId} cannot be fetched, so ${copy}: ${reason}`);
  });
}
