import type { ConnectedClientRecord } from '../records/codec.ts';

/** Enough of a secret's digest to tell the secrets of one client apart. */
export function markOf(secretDigest: string): string {
  return secretDigest.slice(0, 8);
}

/** When each secret was last used, by its mark. */
export function usesOf(record: ConnectedClientRecord | undefined): Map<string, number> {
  const pairs = record?.secrets?.map((each): [string, number] => [each.slice(0, 8), Number(each.slice(9))]);
  return new Map(pairs);
}

/** The current secret, and the one before. */
const kept = 2;

export function withUse(record: ConnectedClientRecord | undefined, mark: string, at: number): string[] {
  const others = [...usesOf(record)].filter(([each]) => each !== mark).sort(([, a], [, b]) => b - a);
  const uses: [string, number][] = [[mark, at], ...others];
  return uses.slice(0, kept).map(([each, when]) => `${each} ${when}`);
}
