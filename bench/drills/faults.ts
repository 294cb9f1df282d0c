import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisNode, until } from '../../__tests__/helpers/redis.ts';
import type { Load } from './load.ts';
import { command, harbour, type Topology } from './topology.ts';

/** Milliseconds: how long a pause lasts, and how long a flood of requests meets a database that hangs. */
export interface Times {
  readonly long: number;
  readonly hang: number;
}

/** Something that goes wrong while the load runs. */
export interface Fault {
  readonly name: string;
  readonly needsCluster?: true;
  /** What it happens to. @default any database */
  readonly on?: Topology['on'];
  run(topology: Topology, load: Load, times: Times): Promise<void>;
}

export const faults: readonly Fault[] = [
  { name: 'nothing', run: (_topology, _load, { long }) => sleep(long) },
  {
    name: 'connections are cut ten times',
    on: 'Redis',
    run: async (topology) => {
      const { master } = await rolesOf(topology);
      for (let i = 0; i < 10; i += 1) {
        await command(master, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        await sleep(100);
      }
    },
  },
  {
    name: 'Redis is paused',
    on: 'Redis',
    run: async (topology, _load, { long }) => {
      const { master } = await rolesOf(topology);
      master.freeze();
      await sleep(long);
      master.thaw();
    },
  },
  {
    name: 'Redis hangs, 500 anonymous requests a second',
    on: 'Redis',
    run: async (topology, load, { hang }) => {
      const nodes = [topology.home, topology.replica].filter((node) => node !== undefined);
      for (const node of nodes) node.freeze();
      await load.flood(250, hang);
      for (const node of nodes) node.thaw();
    },
  },
  {
    name: 'Redis is killed and started again',
    on: 'Redis',
    run: async (topology) => {
      const { master, replica } = await rolesOf(topology);
      await master.kill();
      if (replica) await until('the replica is master', () => isMaster(replica));
      else await sleep(1000);
      await master.start();
    },
  },
  {
    name: 'a server process is killed and started again',
    run: async ({ servers }) => {
      const last = servers.at(-1);
      await last?.kill();
      await sleep(500);
      await last?.start();
    },
  },
  {
    name: 'the server process is killed five times',
    on: 'SQLite',
    run: async ({ servers: [only] }) => {
      for (let i = 0; i < 5; i += 1) {
        await only?.kill();
        await only?.start();
        await sleep(500);
      }
    },
  },
  {
    name: 'Redis is full',
    on: 'Redis',
    run: async (topology, load, { long }) => {
      const { master } = await rolesOf(topology);
      const used = Number(/used_memory:(\d+)/.exec(await command(master, 'INFO', 'memory'))?.[1]);
      await command(master, 'CONFIG', 'SET', 'maxmemory', used);
      await load.flood(50, long);
      await command(master, 'CONFIG', 'SET', 'maxmemory', 0);
    },
  },
  {
    name: 'a planned failover',
    on: 'Redis',
    needsCluster: true,
    run: async (topology) => {
      const { replica } = await rolesOf(topology);
      if (!replica) throw new Error('no replica');
      await command(replica, 'CLUSTER', 'FAILOVER');
      await until('the replica is master', () => isMaster(replica));
    },
  },
  {
    name: 'a slot moves to another master and back',
    on: 'Redis',
    needsCluster: true,
    run: async (topology) => {
      const { master } = await rolesOf(topology);
      if (!topology.other) throw new Error('no other master');
      await moveSlot(master, topology.other);
      await sleep(500);
      await moveSlot(topology.other, master);
    },
  },
  {
    name: 'connections to PostgreSQL are cut ten times',
    on: 'PostgreSQL',
    run: async (topology) => {
      for (let i = 0; i < 10; i += 1) {
        await query(topology, 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()');
        await sleep(100);
      }
    },
  },
  {
    name: 'PostgreSQL hangs, 500 anonymous requests a second',
    on: 'PostgreSQL',
    run: async (topology, load, { hang }) => {
      topology.postgres?.freeze();
      await load.flood(250, hang);
      topology.postgres?.thaw();
    },
  },
  {
    name: 'PostgreSQL is killed and started again',
    on: 'PostgreSQL',
    run: async ({ postgres }) => {
      await postgres?.kill();
      await sleep(1000);
      await postgres?.start();
    },
  },
  {
    name: 'PostgreSQL is a read-only replica until it is promoted',
    on: 'PostgreSQL',
    run: async (topology, _load, { long }) => {
      const { postgres } = topology;
      if (!postgres) throw new Error('no PostgreSQL');
      await postgres.kill();
      writeFileSync(join(postgres.dir, 'standby.signal'), '');
      await postgres.start();
      await sleep(long);
      await query(topology, 'select pg_promote()');
    },
  },
];

async function query({ postgres }: Topology, text: string): Promise<void> {
  const admin = postgres?.pool({ max: 1 });
  await admin?.query(text);
  await admin?.end();
}

/** Which of the two nodes with the data of Harbour School is the master now. */
async function rolesOf({ home, replica }: Topology): Promise<{ master: RedisNode; replica?: RedisNode }> {
  if (!home) throw new Error('no Redis');
  if (!replica) return { master: home };
  await until('there is one master with its replica', async () => {
    const roles = await Promise.all([home, replica].map((node) => command(node, 'INFO', 'replication')));
    return (
      roles.some((role) => /connected_slaves:[1-9]/.test(role)) && roles.some((role) => /link_status:up/.test(role))
    );
  });
  return (await isMaster(home)) ? { master: home, replica } : { master: replica, replica: home };
}

async function isMaster(node: RedisNode): Promise<boolean> {
  return (await command(node, 'ROLE')).startsWith('master');
}

/** Moves the slot of Harbour School, a few keys at a time, as `redis-cli --cluster reshard` does. */
async function moveSlot(from: RedisNode, to: RedisNode): Promise<void> {
  const slot = await command(from, 'CLUSTER', 'KEYSLOT', `{${harbour.id}}`);
  const [source, target] = await Promise.all([from, to].map((node) => command(node, 'CLUSTER', 'MYID')));
  await command(to, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', source ?? '');
  await command(from, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', target ?? '');
  for (;;) {
    const keys = await command(from, 'CLUSTER', 'GETKEYSINSLOT', slot, 20);
    if (keys === '') break;
    await command(from, 'MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'KEYS', ...keys.split(','));
  }
  for (const node of [to, from]) await command(node, 'CLUSTER', 'SETSLOT', slot, 'NODE', target ?? '');
}
