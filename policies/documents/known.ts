/** A metadata document that is known in advance, by its address. */
export interface KnownDocument {
  /** The product that publishes it, for people. */
  readonly name: string;
  /**
   * The URL of the document. `*` stands for one segment of the path, of 1 to 128 letters, digits, `-` and `_`: for products
   * that publish a document for each of their own installations.
   */
  readonly url: string;
  /** Where the row comes from: the program's own code or the document was `read`, or what it does was `recorded`. */
  readonly source: { readonly url: string; readonly kind: 'read' | 'recorded' };
}

/**
 * Metadata documents of well-known programs for `metadataDocuments`, to be used whole or filtered. They are addresses and
 * not hosts, because on some hosts anyone can publish a page. A row says where a program publishes its document, and
 * nothing about its quality: the client is limited to read scopes until the document is reviewed.
 */
export const knownDocuments: readonly KnownDocument[] = [];
