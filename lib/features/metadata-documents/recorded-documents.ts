import { documentCopies, type CopiedDocument } from './domain/document-copies.ts';

/** A metadata document, as far as the tests look at it. */
export type RecordedDocument = CopiedDocument;

/** Ids of installations, in place of `*`. */
const examples: Readonly<Record<string, string>> = {
  'https://chatgpt.com/oauth/*/client.json': 'tU1UVEq8rRTK',
  'https://chatgpt.com/oauth/codex/*/client.json': 'q2r_T-x01234',
};

export const recordedDocuments: readonly RecordedDocument[] = [...documentCopies].map(
  ([url, { document }]): RecordedDocument => JSON.parse(JSON.stringify(document).replaceAll('*', examples[url] ?? '*')),
);
