/** Of a cluster: the master and the replicas of each slot, as `host:port`. */
type Slots = readonly (readonly string[] | undefined)[];

const slotCount = 16_384;

/** The master that has a key, as `host:port`; nothing if it is not known yet. */
export function ownerOf(slots: Slots, key: string): string {
  return slots[slotOf(key)]?.[0] ?? '';
}

/** Every master that has a slot; `''` if the master of one is not known. */
export function owners(slots: Slots): ReadonlySet<string> {
  return new Set(Array.from({ length: slotCount }, (_, slot) => slots[slot]?.[0] ?? ''));
}

/** The slot of a key in a cluster: the CRC-16/XMODEM of its hash tag. */
function slotOf(key: string): number {
  const tag = key.slice(key.indexOf('{') + 1, key.indexOf('}'));
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc % slotCount;
}
