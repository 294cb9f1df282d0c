/**
 * The layers of lib, lowest first. A file imports from layers below it and from its own folder. Folders of one layer do
 * not import each other. CONTRIBUTING.md lists them; a test compares the two.
 */
export const layers: readonly (readonly string[])[] = [
  ['runtime/'],
  ['kernel'],
  ['facts'],
  ['protocol/'],
  ['contracts/'],
  ['client-programs/', 'host/', 'i18n/'],
  ['records/'],
  ['http/', 'rate-limit/', 'clients/', 'options/'],
  ['grants/'],
  ['bearer/', 'connections/', 'metadata-documents/', 'registration/'],
  ['provider/'],
  ['commands'],
  ['pages/'],
  ['interaction/', 'describe/'],
  ['member/', 'mcp/', 'gallery/'],
  ['features/'],
  ['services.ts'],
  ['routes.ts'],
  ['diagnose/'],
  ['campus.ts'],
  ['index.ts', 'store.ts', 'grant-types.ts', 'testing/'],
  ['cli/'],
];

/** Files that are in a lower layer than their folder. */
const lower: Readonly<Record<string, RegExp>> = {
  kernel:
    /^(?:features\/contract|protocol\/(?:errors|hourly-limit|misspelt|option-schemas|request-parameter|validate)|contracts\/(?:finding|json|record-kind-row))\.ts$/,
  /** What a feature is, as data, and the tables of all features. */
  facts: /^features\/(?:[\w-]+\/)?(?:(?:findings|grants?|options|records|texts)\.ts|[\w-]+\.json)$/,
  commands: /^features\/(?:[\w-]+\/)?commands\.ts$/,
};

/** What adapters and policies may import of lib. */
export const ground = /^lib\/(?:(?:contracts|protocol)\/[\w-]+|runtime\/timeout)\.ts$/;

/** The folder or file of `layers` that contains a path, with its layer; layer -1 for one that has none. */
export function placeOf(path: string): { readonly layer: number; readonly folder: string | undefined } {
  const inside = path.replace(/^lib\//, '');
  const name = Object.keys(lower).find((each) => lower[each]?.test(inside));
  if (name !== undefined) return { layer: layers.findIndex((folders) => folders.includes(name)), folder: name };
  const contains = (folder: string): boolean => (folder.endsWith('/') ? inside.startsWith(folder) : inside === folder);
  const layer = layers.findIndex((folders) => folders.some(contains));
  return { layer, folder: layers[layer]?.find(contains) };
}
