/** The layers of lib, lowest first: a file imports from its own layer and from those below. `CONTRIBUTING.md` lists them; a test compares the two. */
export const layers: readonly (readonly string[])[] = [
  ['kernel/'],
  ['observe/', 'simulated-clients/'],
  ['records/', 'host/'],
  ['http/'],
  ['core/'],
  ['engine/', 'i18n/', 'hooks/', 'plugin-contract/'],
  ['pages/'],
  ['options/', 'interaction/', 'describe/', 'member/', 'mcp/'],
  ['features/'],
  ['*'],
];

/** The folders of `core/`, lowest first, by the same rule. */
export const coreLayers: readonly string[] = [
  'scopes/',
  'boundaries/',
  'keys/',
  'offered/',
  'limits/',
  'known-programs/',
  'clients/',
  'outbound/',
  'reviews/',
  'decisions/',
  'applications/',
  'connections/',
  'grants/',
  'bearer/',
];

/** What adapters may import of lib. */
export const adapterGround = /^lib\/(?:(?:kernel|records|observe)\/[\w-]+|core\/(?:clients\/client-id))\.ts$/;

/** What policies may import of lib: types, values and pure checks. */
export const policyGround =
  /^lib\/(?:kernel\/|host\/school-platform|core\/(?:clients|decisions|keys|offered|known-programs|scopes)\/|features\/(?:registration\/domain\/registration-policy|metadata-documents\/domain\/document-))/;

/** The layer of a path. What is named nowhere composes the rest, and is on top. */
export function layerOf(path: string): number {
  const inside = path.replace(/^lib\//, '');
  const found = layers.findIndex((places) => places.some((place) => inside.startsWith(place)));
  return found < 0 ? layers.length - 1 : found;
}
