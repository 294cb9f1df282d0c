import { type Finding, finder, type FindingTable } from '../../lib/kernel/finding.ts';
import { countEvents } from './log-size.ts';
import type { RedisClient, RedisSettings } from './options.ts';
import { remove } from './records.ts';
import { neededCommands, refusedCommands } from './rights.ts';
import { keyPrefixOf } from './scan.ts';
import type { CallRedis, Session } from './session.ts';

/** What `diagnose` of `redisStore` can find. @internal */
export const redisFindings = {
  /** Redis replied with an error, or not within the deadline. */
  'redis-unreachable': ['error', 'start Redis, and check the address and credentials of the client'],
  /** The user may not run scripts or a command that the store needs, or may not use its keys. */
  'redis-rights': ['error', 'add the missing rights with ACL SETUSER. docs/operate/redis.md (Rights) lists them all'],
  /** The user may not run the commands that remove a school or copy the store. */
  'redis-upkeep': [
    'warning',
    'add these rights with ACL SETUSER. Without them, campus.sites, campus.members and store copy fail',
  ],
  /** The user may not run commands that only a log needs. */
  'redis-log': [
    'info',
    'add these rules to the user with ACL SETUSER before you set the option log to storedLog(), or give that another store',
  ],
  /** The log of `storedLog` in this Redis has more than a million events, about half a gigabyte of memory. Their number is an estimate. */
  'redis-log-large': [
    'info',
    'keep the log on disk: storedLog({ store: postgresLog(pool) }). Events that are in Redis by then are not copied',
  ],
  /** The server refuses INFO, TIME or CLUSTER. Or it is older than Redis 7, which cannot say what its user may run. */
  'redis-uninspected': [
    'info',
    'compare settings and rights with docs/operate/redis.md, or allow +info so that diagnose can check the settings',
  ],
  /** Redis is older than 6.2. */
  'redis-version': ['error', 'use Redis 6.2 or later, or Valkey'],
  /** The server is a replica. */
  'redis-replica': ['error', 'connect to the master: through Sentinel, the cluster or an address that follows it'],
  /** The server refuses a write: it is a replica, has too few replicas, or cannot save. */
  'redis-read-only': [
    'error',
    'connect to the master, and give it the replicas and disk space that its settings require',
  ],
  /** `maxmemory-policy` is not `noeviction`. */
  'redis-eviction': ['error', 'set maxmemory-policy noeviction. Eviction deletes connections and applications'],
  /** `maxmemory` is not set. */
  'redis-maxmemory': ['info', 'set maxmemory below the memory of the machine. Otherwise the system may end Redis'],
  /** More than 90 % of `maxmemory` is in use. */
  'redis-memory': ['warning', 'give Redis more memory. When it is full, connecting and refreshing fail'],
  /** `appendonly` is off. */
  'redis-persistence': ['warning', 'set appendonly yes. Otherwise a restart disconnects every application'],
  /** The last write of the append-only file or the last snapshot failed. */
  'redis-disk': ['error', 'read the log of Redis. It cannot write to its disk'],
  /** Fewer replicas are connected than `durability.replicas`. */
  'redis-durability': ['error', 'start the replicas, or lower durability.replicas of redisStore'],
  /** The clocks of this machine and of Redis differ by more than 5 seconds. */
  'redis-clock': ['error', 'synchronize the clocks of both machines (NTP)'],
  /** The cluster is not `ok`, or some of its slots do not work. */
  'redis-slots': ['error', 'run redis-cli --cluster check, and assign the missing slots'],
  /** The client has no listener for `error`. */
  'redis-errors': ['warning', 'add a listener for the event "error" of the client'],
  /** `enableAutoPipelining` of the client is off. */
  'redis-pipelining': [
    'info',
    'set enableAutoPipelining: true, so that requests that arrive together share a round trip to Redis',
  ],
  /** The client gives up when its connection is lost. */
  'redis-reconnect': ['error', 'return a number of milliseconds from retryStrategy of the client'],
} as const satisfies FindingTable;

const found = finder(redisFindings);

type Info = ReadonlyMap<string, string>;

/** Inspects the server, or one server of a cluster, and the client. Changes nothing and never rejects. */
export async function diagnose(call: CallRedis, client: RedisClient, settings: RedisSettings): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await call('', async (session) => {
      findings.push(...(await inspect(session, ['INFO'], (reply) => infoFindings(readInfo(reply), settings))));
      if (client.slots) {
        findings.push(...(await inspect(session, ['CLUSTER', 'INFO'], (reply) => slotFindings(readInfo(reply)))));
      }
      findings.push(...(await clockFindings(session)), ...(await rightsFindings(session, client, settings)));
      // An error that is known says why a write would fail.
      if (findings.every(({ severity }) => severity !== 'error')) findings.push(...(await writeFindings(session)));
    });
    findings.push(...(await logFindings(call, client, settings)));
  } catch (error) {
    findings.push(found('redis-unreachable', `Redis cannot be inspected: ${String(error)}`));
  }
  return [...findings, ...clientFindings(client)];
}

/** A server that refuses a command responds. */
async function inspect(
  session: Session,
  command: readonly [string, ...string[]],
  read: (reply: unknown) => Iterable<Finding>,
): Promise<readonly Finding[]> {
  try {
    return [...read(await session.command(...command))];
  } catch (error) {
    return [found('redis-uninspected', `Redis refuses ${command.join(' ')}: ${refusal(error)}`)];
  }
}

/** What the server says that does not let the user run a command, or does not have it. @throws any other error */
function refusal(error: unknown): string {
  if (error instanceof Error && error.name === 'ReplyError' && /^(?:NOPERM|ERR) /.test(error.message)) {
    return error.message;
  }
  throw error;
}

function* infoFindings(info: Info, settings: RedisSettings): Generator<Finding> {
  yield* serverFindings(info);
  yield* memoryFindings(info);
  yield* diskFindings(info, settings);
}

function readInfo(reply: unknown): Info {
  const lines = String(reply).split(/\r?\n/);
  return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1)]));
}

function* serverFindings(info: Info): Generator<Finding> {
  // Valkey names the version of Redis that it is compatible with.
  const version = info.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2)) yield found('redis-version', `Redis has the version ${version}`);
  if (info.get('role') === 'slave')
    yield found('redis-replica', 'the client is connected to a replica, which refuses writes');
}

function* memoryFindings(info: Info): Generator<Finding> {
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  const [max, used] = [Number(info.get('maxmemory')), Number(info.get('used_memory'))];
  if (policy !== 'noeviction') yield found('redis-eviction', `maxmemory-policy is ${policy}`);
  if (max === 0) yield found('redis-maxmemory', 'maxmemory is not set');
  else if (used / max > 0.9) yield found('redis-memory', `${Math.round((used / max) * 100)} % of maxmemory is in use`);
}

function* diskFindings(info: Info, { durability }: RedisSettings): Generator<Finding> {
  if (info.get('aof_enabled') === '0') yield found('redis-persistence', 'the append-only file is off');
  for (const name of ['aof_last_write_status', 'rdb_last_bgsave_status']) {
    const status = info.get(name) ?? 'ok';
    if (status !== 'ok') yield found('redis-disk', `${name} is ${status}`);
  }
  const replicas = Number(info.get('connected_slaves') ?? 0);
  if (durability && replicas < durability.replicas) {
    yield found('redis-durability', `durability waits for ${durability.replicas} replicas, and there are ${replicas}`);
  }
}

function* slotFindings(cluster: Info): Generator<Finding> {
  const [state, ok] = [cluster.get('cluster_state'), cluster.get('cluster_slots_ok')];
  if (state !== 'ok' || ok !== '16384') {
    yield found('redis-slots', `the cluster is ${state ?? 'unknown'}, with ${ok ?? 'no'} of 16384 slots working`);
  }
}

/** Milliseconds by which two clocks may differ. Codes live for 60 seconds. */
const maxSkew = 5000;

function clockFindings(session: Session): Promise<readonly Finding[]> {
  const before = Date.now();
  return inspect(session, ['TIME'], function* (reply) {
    const localTime = (before + Date.now()) / 2;
    const serverTime = Array.isArray(reply) ? Number(reply[0]) * 1000 + Number(reply[1]) / 1000 : localTime;
    const ahead = Math.round((serverTime - localTime) / 1000);
    if (Math.abs(serverTime - localTime) <= maxSkew) return;
    const side = ahead > 0 ? 'ahead of' : 'behind';
    yield found('redis-clock', `the clock of Redis is ${Math.abs(ahead)} seconds ${side} that of this process`);
  });
}

async function rightsFindings(session: Session, client: RedisClient, settings: RedisSettings): Promise<Finding[]> {
  const { service, durability, log, upkeep } = neededCommands;
  const ids = [
    ['redis-rights', settings.durability ? [...service, ...durability] : service],
    ['redis-log', log],
    ['redis-upkeep', upkeep],
  ] as const;
  const start = `${keyPrefixOf(client)}${settings.prefix}:`;
  try {
    const key = `${keyPrefixOf(client)}${session.keys.prefix}`;
    const refused = await refusedCommands(
      session,
      key,
      ids.flatMap(([, names]) => names),
    );
    // The script itself was sent by EVALSHA, so that is not what the user lacks.
    if (refused?.includes('EVALSHA')) {
      return [
        found('redis-rights', `the user of the client may not read and write the keys ${start}*; it needs ~${start}*`),
      ];
    }
    if (!refused) return [found('redis-uninspected', 'this Redis cannot say which commands its user may run')];
    return ids.flatMap(([id, names]) => {
      const missing = names.filter((name) => refused.includes(name));
      const rules = missing.map((name) => `+${name.toLowerCase()}`).join(' ');
      const text = `the user of the client may not run ${missing.join(', ')} on the keys ${start}*; it needs ~${start}* ${rules}`;
      return missing.length > 0 ? [found(id, text)] : [];
    });
  } catch (error) {
    return [
      found('redis-rights', `the user of the client may not run scripts; it needs +eval +evalsha: ${refusal(error)}`),
    ];
  }
}

/** Removes what is not there: a replica without INFO, and a user of Redis 6, show only when they are to write. */
async function writeFindings(session: Session): Promise<Finding[]> {
  try {
    await remove(session, 'KeyFingerprints', '');
    return [];
  } catch (error) {
    const text = `Redis refuses writes: ${String(error)}`;
    if (/\b(?:READONLY|NOREPLICAS|MISCONF)\b/.test(text)) return [found('redis-read-only', text)];
    if (/NOPERM|The user executing the script/.test(text)) return [found('redis-rights', text)];
    throw error;
  }
}

/** Events of a log from which memory is too dear for it. */
const manyEvents = 1_000_000;

/** Nothing where they cannot be counted within the deadline: what is wrong with Redis is found without it. */
async function logFindings(call: CallRedis, client: RedisClient, settings: RedisSettings): Promise<Finding[]> {
  const events = await call('', () => countEvents(client, settings)).catch(() => 0);
  if (events <= manyEvents) return [];
  return [found('redis-log-large', `the log has about ${(events / 1e6).toFixed(1)} million events in memory`)];
}

function* clientFindings(client: RedisClient): Generator<Finding> {
  const listeners: unknown = Reflect.get(client, 'listenerCount');
  if (typeof listeners === 'function' && Reflect.apply(listeners, client, ['error']) === 0)
    yield found('redis-errors', 'the client has no listener for its errors');
  const options: unknown = Reflect.get(client, 'options');
  if (typeof options !== 'object') return;
  const strategy: unknown = Object(options)[client.slots ? 'clusterRetryStrategy' : 'retryStrategy'];
  if (typeof strategy !== 'function' || typeof Reflect.apply(strategy, undefined, [1]) !== 'number')
    yield found('redis-reconnect', 'the client does not connect again when it has lost its connection');
  if (Object(options).enableAutoPipelining !== true)
    yield found('redis-pipelining', 'each command is sent to Redis separately');
}
