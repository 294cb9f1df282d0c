/**
 * The layers of lib, lowest first. A file imports from layers below it and from its own place. Places of one layer do
 * not import each other. `*` is any name. CONTRIBUTING.md lists them; a test compares the two.
 *
 * A feature has two doors: its facts, on which tables of the core are built, and its behaviour, which is built on the core.
 */
export const layers: readonly (readonly string[])[] = [
  ['kernel/'],
  ['features/contract.ts'],
  ['features/*/facts.ts', 'features/*/texts.ts', 'features/*/en.json', 'features/*/zh-Hant.json'],
  ['features/*/options.ts'],
  ['features/facts.ts', 'features/texts.ts', 'features/options.ts'],
  ['observe/', 'simulated-clients/'],
  ['records/', 'host/'],
  ['http/'],
  ['core/'],
  ['i18n/', 'plugin-contract/'],
  ['features/*/domain/', 'hooks/', 'engine/', 'features/*/commands.ts'],
  ['features/client-fields.ts', 'features/policies.ts'],
  ['features/managers.ts'],
  ['pages/kit/'],
  ['features/*/form.ts', 'features/*/page-part.ts'],
  ['features/forms.ts', 'features/page-parts.ts'],
  ['options/'],
  ['pages/'],
  ['features/*/pages/'],
  ['interaction/', 'describe/', 'member/', 'mcp/'],
  ['gallery/'],
  ['features/feature.ts', 'features/feature-in-tests.ts', 'features/feature-methods.ts', 'features/feature-pages.ts'],
  ['features/*/'],
  ['features/method-types.ts'],
  [
    'features/features.ts',
    'features/methods.ts',
    'features/pages.ts',
    'features/request-hooks.ts',
    'features/testing.ts',
  ],
  ['parts-interface.ts'],
  ['page-routes.ts', 'diagnose/'],
  ['routes.ts'],
  ['public/'],
  ['campus.ts'],
  ['index.ts', 'store.ts', 'grant-types.ts', 'testing/'],
  ['cli/'],
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
export const adapterGround: RegExp =
  /^lib\/(?:(?:kernel|records|observe)\/[\w-]+|core\/(?:offered\/grant-type-table|clients\/client-id))\.ts$/;

/** What policies may import of lib: types, values and pure checks. */
export const policyGround: RegExp =
  /^lib\/(?:kernel\/|host\/school-platform|core\/(?:clients|decisions|keys|offered|known-programs|scopes)\/|features\/(?:registration\/domain\/registration-policy|metadata-documents\/domain\/document-))/;

/** Whether a path inside of lib is in a place of `layers`. */
function isIn(inside: string, place: string): boolean {
  const pattern = place.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
  return new RegExp(`^${pattern}${place.endsWith('/') ? '' : '$'}`).test(inside);
}

/** A file is more exact than a folder, a deeper folder than one above it, and a name than any name. */
function exactness(place: string): number {
  const depth = place.split('/').filter((part) => part !== '').length;
  return (place.endsWith('/') ? 0 : 100) + depth * 10 - (place.includes('*') ? 1 : 0);
}

/** The place of `layers` that contains a path, with its layer; layer -1 for one that has none. The most exact place wins. */
export function placeOf(path: string): { readonly layer: number; readonly place: string | undefined } {
  const inside = path.replace(/^lib\//, '');
  const all = layers.flatMap((places, layer) => places.map((place) => ({ layer, place })));
  const found = all.filter(({ place }) => isIn(inside, place));
  found.sort((a, b) => exactness(b.place) - exactness(a.place));
  const { layer = -1, place } = found[0] ?? {};
  // Each feature is a place of its own.
  const feature = place?.includes('*') === true ? /^features\/[^/]+/.exec(inside)?.[0] : undefined;
  return { layer, place: feature === undefined ? place : `${place} of ${feature}` };
}
