import { createHash, randomBytes, scrypt } from 'node:crypto';
import * as z from 'zod';
import type { Finding } from '../kernel/finding.ts';
import type { RecordOf } from '../records/record.ts';
import { type CheckedKeys, type KeyRing, publicText } from '../core/keys/keys.ts';
import { serializeRecord } from '../records/codec.ts';
import { digest } from '../kernel/crypto.ts';
import { epochSeconds } from '../kernel/clock.ts';
import type { OnFault } from '../observe/events.ts';
import type { RecordStore } from '../records/record-store.ts';
import { found } from './findings.ts';

/** Seconds for which a process counts at most after it has announced its keys, and the record lives. */
const longest = 10 * 60;

/** Seconds for which it counts at least: checks are not regular to the second. */
const shortest = 60;

/** As many checks of its own a process can miss, and still counts. */
const missed = 3;

/** Sets of keys that are kept. Where every process makes its own, a few are enough to see that. */
const maxSets = 8;

/** All schools have these keys, and share the record. */
const place = ['', 'KeyFingerprints', 'shared'] as const;

/** Fingerprints of the keys that one process has, or several. */
const keySetSchema = z.object({
  cookies: z.array(z.string()),
  signing: z.array(z.string()),
  /** When a process with these keys announced them, in seconds. */
  at: z.number(),
  /** How many seconds there were between two announcements lately. */
  every: z.number().optional(),
});

/** By a name that follows from the fingerprints. */
const keySetsSchema = z.record(z.string(), keySetSchema);

type KeySet = Readonly<z.infer<typeof keySetSchema>>;
type Fingerprints = Pick<KeySet, 'cookies' | 'signing'>;

/** Compares the keys of this process with those of the others on the store. Those of `siteKeys` are not among them. */
export interface ProcessKeys {
  /** Writes which keys this process has: rejects if the store does not take a write. That they differ is a fault, once. */
  announce(): Promise<void>;
  /** Takes back what this process has announced, when it ends. Others with the same keys announce them again. */
  withdraw(): Promise<void>;
  /** The finding that they differ, if they do. Changes nothing. */
  findings(): Promise<Finding[]>;
}

interface ProcessKeyOptions {
  readonly store: RecordStore;
  readonly keys: KeyRing;
  readonly onFault: OnFault;
}

export function createProcessKeys({ store, keys, onFault }: ProcessKeyOptions): ProcessKeys {
  let own: { keys: CheckedKeys; salt: string; set: Fingerprints } | undefined;
  let reported: CheckedKeys | undefined;
  let announced: string | undefined;

  const ownSet = async (salt: string): Promise<Fingerprints> => {
    const now = keys.shared();
    if (own?.keys === now && own.salt === salt) return own.set;
    const set = await fingerprintsOf(now, salt);
    own = { keys: now, salt, set };
    return set;
  };

  /** Over what another process has written in between, which announces again: a write that is left out would tell nothing. */
  const write = async (salt: string, sets: readonly NamedSet[]): Promise<void> => {
    const [siteId, kind, id] = place;
    const record = serializeRecord(kind, { salt, sets: Object.fromEntries(sets.slice(0, maxSets)) });
    await store.save(siteId, { kind, id, record, ttl: longest });
  };

  return {
    async announce() {
      const stored = await store.find(...place);
      const salt = stored?.record.salt ?? randomBytes(16).toString('base64url');
      const prints = await ownSet(salt);
      const name = nameOf(prints);
      const at = epochSeconds();
      const known = countingSets(stored?.record, at);
      const set = { ...prints, at, every: interval(known.find(([other]) => other === name)?.[1], at) };
      // If the keys of this process have changed, what it announced before is its own.
      const others = known.filter(([other]) => other !== name && other !== announced);
      await write(salt, [[name, set], ...others]);
      announced = name;
      const [finding] = differences(set, others, set.at);
      if (!finding || reported === keys.shared()) return;
      reported = keys.shared();
      onFault('the processes on this store have different keys', new Error(`${finding.text}; ${finding.fix}`));
    },
    async withdraw() {
      const stored = announced === undefined ? undefined : await store.find(...place);
      if (!stored) return;
      const others = countingSets(stored.record, epochSeconds()).filter(([name]) => name !== announced);
      await write(stored.record.salt, others);
    },
    async findings() {
      const stored = await store.find(...place);
      if (!stored) return [];
      const now = epochSeconds();
      return differences(await ownSet(stored.record.salt), countingSets(stored.record, now), now);
    },
  };
}

type NamedSet = readonly [name: string, set: KeySet];

/** Those of processes that are not gone, as far as is known; the newest first. */
function countingSets(record: RecordOf<'KeyFingerprints'> | undefined, now: number): NamedSet[] {
  const sets = Object.entries(keySetsSchema.parse(record?.sets ?? {}));
  // One that has announced only once is checked as often as the others are.
  const usual = Math.max(0, ...sets.map(([, { every = 0 }]) => every)) || longest;
  const lasts = ({ every = usual }: KeySet): number => Math.min(longest, Math.max(shortest, missed * every));
  return sets.filter(([, set]) => set.at > now - lasts(set)).sort(([, a], [, b]) => b.at - a.at);
}

/** Several processes with the same keys may be checked at the same moment: a short interval counts little by little. */
function interval(before: KeySet | undefined, now: number): number | undefined {
  return before && Math.max(now - before.at, Math.floor((before.every ?? 0) / 2));
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

/**
 * Fingerprints that tell keys apart and nothing else. A cookie secret can be short, and an attacker who reads the store must not find
 * it by trying: each try costs as much as one for a password. The public part of the other keys is enough.
 */
async function fingerprintsOf({ cookies, signing, published }: CheckedKeys, salt: string): Promise<Fingerprints> {
  return {
    cookies: await Promise.all(cookies.map((secret) => slowDigest(secret, `campus-oidc cookies ${salt}`))),
    signing: [...signing, ...published].map((key) => short(createHash('sha256').update(publicText(key)).digest())),
  };
}

/** RFC 7914, with the parameters that Node has for passwords: 16 MiB and some 30 ms, beside the event loop. */
function slowDigest(secret: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, 8, (error, key) => (error ? reject(error) : resolve(short(key))));
  });
}

/** 64 bits. */
function short(bytes: Buffer): string {
  return bytes.subarray(0, 8).toString('base64url');
}
