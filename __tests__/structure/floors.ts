/**
 * The floors of the house, lowest first. A file imports from floors below it and from its own room: a folder or file of
 * one line here. Rooms of one floor do not know each other.
 */
export const floors: readonly (readonly Room[])[] = [
  [
    [
      'errors.ts',
      'scopes.ts',
      'paths.ts',
      'clock.ts',
      'digest.ts',
      'redirect-uri.ts',
      'error-codes.ts',
      'request-parameters.ts',
      'version.ts',
      'contracts/',
    ],
  ],
  [['claims.ts'], ['events.ts'], ['faults.ts', 'platform-answers.ts'], ['limits.ts'], ['documents/'], ['texts/']],
  [
    [
      'keys.ts',
      'option-checks.ts',
      'client-options.ts',
      'member-options.ts',
      'page-options.ts',
      'tool-options.ts',
      'options.ts',
      'service-facts.ts',
    ],
    ['http/'],
    ['site.ts'],
    ['clients/'],
  ],
  [['pages/']],
  [['provider/']],
  [['bearer/'], ['connections.ts'], ['console/'], ['discovery/'], ['interaction/'], ['registration/']],
  [['mcp/'], ['member/'], ['guide/'], ['openapi/']],
  [['router.ts']],
  [['campus.ts']],
  [['index.ts']],
];

/** Files, and folders that end in a slash, of lib. */
export type Room = readonly string[];

/** What adapters and policies may import of lib. */
export const groundFloor = /^lib\/(contracts\/[\w-]+|errors|scopes|paths|redirect-uri)\.ts$/;

/** Where a file of lib lives; floor -1 for one that has no place yet. */
export function roomOf(path: string): { readonly floor: number; readonly room: Room | undefined } {
  const inside = path.replace(/^lib\//, '');
  const isHere = (place: string): boolean => (place.endsWith('/') ? inside.startsWith(place) : inside === place);
  const floor = floors.findIndex((rooms) => rooms.some((room) => room.some(isHere)));
  return { floor, room: floors[floor]?.find((room) => room.some(isHere)) };
}
