import { readFileSync } from 'node:fs';
import type { RecordedDocument } from '../../lib/features/metadata-documents/recorded-documents.ts';
import { type DocumentServer, startDocumentServer } from '../outbound/document-server.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

/** The certificate of the hosts of all recorded documents, and of `tutor.example`. */
export const hostsCertificate: string = fixture('tls-cert.pem');

/** Serves documents under the names of their hosts; every other address is 404. */
export async function serveDocuments(documents: readonly RecordedDocument[]): Promise<DocumentServer> {
  const server = await startDocumentServer({ key: fixture('tls-key.pem'), cert: hostsCertificate });
  server.respond((request, response) => {
    const url = `https://${request.headers.host ?? ''}${request.url ?? ''}`;
    const document = documents.find(({ client_id: id }) => id === url);
    response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json', 'cache-control': 'max-age=300' })
      .end(JSON.stringify(document ?? {}));
  });
  return server;
}
