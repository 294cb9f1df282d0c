import type { Finding } from '../contracts/finding.ts';
import type { Store } from '../contracts/store.ts';
import { findFormats, newestVersions, olderKinds } from '../records/store-formats.ts';
import { found } from './findings.ts';

/** What is left to do after a release that has brought another form of a record. */
export async function formatFindings(store: Pick<Store, 'find'>): Promise<Finding[]> {
  const newest = newestVersions();
  if (Object.keys(newest).length === 0) return [];
  const { versions, rewritten } = await findFormats(store);
  const older = olderKinds(versions);
  const skipped = older.filter((kind) => (versions[kind] ?? 1) < (newest[kind] ?? 1) - 1);
  if (skipped.length > 0)
    return [found('formats-skipped', `older than what this release reads may be: ${skipped.join(', ')}`)];
  if (older.length > 0)
    return [found('formats-open', `written in the format of the release before: ${older.join(', ')}`)];
  return rewritten
    ? []
    : [found('formats-open', 'records that do not expire may be in the format of the release before')];
}
