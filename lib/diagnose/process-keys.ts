import { randomBytes } from 'node:crypto';
import type { Finding } from '../contracts/finding.ts';
import type { RecordOf } from '../contracts/record.ts';
import type { CheckedKeys } from '../protocol/keys.ts';
import { serializeRecord } from '../records/codec.ts';
import { digest } from '../runtime/crypto.ts';
import { epochSeconds } from '../runtime/timeout.ts';
import type { Services } from '../services.ts';
import { found } from './findings.ts';
import { fingerprintsOf, type KeySet, keySetsSchema } from './key-fingerprints.ts';

/** Seconds for which a process counts after it has announced its keys, and the record lives. */
const recent = 10 * 60;

/** Sets of keys that are kept. Where every process makes its own, a few are enough to see that. */
const maxSets = 8;

/** All sites have these keys, and share the record. */
const place = ['', 'KeyFingerprints', 'shared'] as const;

/** Compares the keys of this process with those of the others on the store. Those of `siteKeys` are not among them. */
export interface ProcessKeys {
  /** Writes which keys this process has: rejects if the store does not take a write. That they differ is a fault, once. */
  announce(): Promise<void>;
  /** The finding that they differ, if they do. Changes nothing. */
  findings(): Promise<Finding[]>;
}

type Fingerprints = Omit<KeySet, 'at'>;

export function createProcessKeys({ store, keys, onFault }: Pick<Services, 'store' | 'keys' | 'onFault'>): ProcessKeys {
  let own: { keys: CheckedKeys; salt: string; set: Fingerprints } | undefined;
  let reported: CheckedKeys | undefined;

  const ownSet = async (salt: string): Promise<Fingerprints> => {
    const now = keys.shared();
    if (own?.keys === now && own.salt === salt) return own.set;
    const set = await fingerprintsOf(now, salt);
    own = { keys: now, salt, set };
    return set;
  };

  return {
    async announce() {
      const stored = await store.find(...place);
      const salt = stored?.record.salt ?? randomBytes(16).toString('base64url');
      const set = { ...(await ownSet(salt)), at: epochSeconds() };
      const others = recentSets(stored?.record, set.at);
      const sets = Object.fromEntries(
        [[nameOf(set), set], ...others.filter(([name]) => name !== nameOf(set))].slice(0, maxSets),
      );
      const [siteId, kind, id] = place;
      // Over what another process has written in between, which announces again: a write that is left out would tell nothing.
      await store.save(siteId, { kind, id, record: serializeRecord({ salt, sets }), ttl: recent });
      const [finding] = differences(set, others, set.at);
      if (!finding || reported === keys.shared()) return;
      reported = keys.shared();
      onFault('the processes on this store have different keys', new Error(`${finding.text}; ${finding.fix}`));
    },
    async findings() {
      const stored = await store.find(...place);
      if (!stored) return [];
      const now = epochSeconds();
      return differences(await ownSet(stored.record.salt), recentSets(stored.record, now), now);
    },
  };
}

type NamedSet = readonly [name: string, set: KeySet];

/** The newest first. */
function recentSets(record: RecordOf<'KeyFingerprints'> | undefined, now: number): NamedSet[] {
  const sets = Object.entries(keySetsSchema.parse(record?.sets ?? {}));
  return sets.filter(([, { at }]) => at > now - recent).sort(([, a], [, b]) => b.at - a.at);
}

function nameOf({ cookies, signing }: Fingerprints): string {
  return digest([...cookies, '', ...signing].join(' ')).slice(0, 11);
}

/** In a rotation, old and new keys overlap. Without one in common, what one process signs means nothing to the other. */
function differences(own: Fingerprints, others: readonly NamedSet[], now: number): Finding[] {
  const names = { cookies: 'cookie secrets', signing: 'signing keys' } as const;
  const texts = (['cookies', 'signing'] as const).flatMap((part) => {
    const other = others.find(([, set]) => !set[part].some((print) => own[part].includes(print)));
    return other ? [`${names[part]} (${Math.max(0, now - other[1].at)} seconds ago)`] : [];
  });
  if (texts.length === 0) return [];
  return [found('keys-differ', `another process on this store has announced other ${texts.join(' and ')}`)];
}
