import { createSocket } from 'node:dgram';
import dns from 'node:dns';
import { afterAll, beforeAll } from '@jest/globals';

/** What the server says of a name: addresses as 4 or 16 bytes in hex, or an error of RFC 1035 section 4.1.1. */
export interface Zone {
  readonly A?: readonly string[] | 'SERVFAIL';
  readonly AAAA?: readonly string[] | 'SERVFAIL';
}

interface NameServer {
  /** Every question so far, in order: `A docs.example`. One that a resolver has repeated counts once. */
  readonly questions: readonly string[];
  /** Resolves when there were two questions about the name. */
  readonly asked: (name: string) => Promise<void>;
}

const types = { 1: 'A', 28: 'AAAA' } as const;

/**
 * The name server of this process, during the tests of the file: a UDP socket on loopback. It knows the names of `zones`,
 * never responds about `silent-….example`, and says of any other name that it does not exist.
 */
export function nameServer(zones: Readonly<Record<string, Zone>>): NameServer {
  const questions: string[] = [];
  const known = new Set<string>();
  const waiting = new Map<string, () => void>();
  const about = (name: string): number => questions.filter((question) => question.endsWith(` ${name}`)).length;
  const socket = createSocket('udp4', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    // A resolver that has waited for long asks again with the same id: RFC 1035 section 4.1.1.
    const question = `${query.readUInt16BE(0)} ${type} ${name}`;
    if (!known.has(question)) questions.push(`${type} ${name}`);
    known.add(question);
    if (about(name) === 2) waiting.get(name)?.();
    if (name.startsWith('silent-')) return;
    socket.send(responseTo(query.subarray(0, end), zones[name], type), port, address);
  });
  const before = dns.getServers();
  beforeAll(async () => {
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    dns.setServers([`127.0.0.1:${socket.address().port}`]);
  });
  afterAll(async () => {
    dns.setServers(before);
    await new Promise<void>((closed) => socket.close(closed));
  });
  return {
    questions,
    asked: (name) => (about(name) >= 2 ? Promise.resolve() : new Promise((resolve) => waiting.set(name, resolve))),
  };
}

function readQuestion(query: Buffer): { readonly name: string; readonly type: 'A' | 'AAAA'; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  if (type !== 1 && type !== 28) throw new Error(`a question of type ${type}`);
  return { name: labels.join('.'), type: types[type], end: at + 5 };
}

function responseTo(question: Buffer, zone: Zone | undefined, type: 'A' | 'AAAA'): Buffer {
  const found = zone?.[type] ?? [];
  const answers = found === 'SERVFAIL' ? [] : found;
  const code = zone === undefined ? 3 : found === 'SERVFAIL' ? 2 : 0;
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 + code, 2);
  header.writeUInt16BE(answers.length, 6);
  // No additional records: the question may have had some.
  header.writeUInt16BE(0, 10);
  const records = answers.map((hex) => {
    const head = Buffer.from(type === 'A' ? 'c00c00010001000000000004' : 'c00c001c0001000000000010', 'hex');
    return Buffer.concat([head, Buffer.from(hex, 'hex')]);
  });
  return Buffer.concat([header, question.subarray(12), ...records]);
}
