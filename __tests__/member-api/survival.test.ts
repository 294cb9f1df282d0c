import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { control } from './executor/hostile-rows.ts';
import { startProgram } from './executor/program.ts';
import { post } from './graphql.ts';

test('no resolver leaves a rejection unhandled, in any pair with another', async () => {
  const app = startProgram('hostile-table.ts');
  if (!app.stdout) throw new Error('no output');
  const seen = await json(app.stdout);
  const rejecting = ['rejects', 'rejectsWithNothing', 'rejectsLater', 'rejectsLate'];
  const unhandled = rejecting.map((behaviour) => `${control}: ${behaviour}`);
  expect(seen).toEqual({ rows: 22 * 18 ** 2 + 29 * 18, unhandled, hung: [], rejected: [] });
});

interface Server {
  readonly process: ChildProcess;
  readonly origin: string;
  readonly token: string;
}

describe('a server goes on', () => {
  let server: Server | undefined;
  const apps: ChildProcess[] = [];

  async function start(): Promise<Server> {
    const app = startProgram('hostile-server.ts');
    // One that never says where it is must end too.
    apps.push(app);
    const [place] = await once(app, 'message');
    return { process: app, ...place };
  }

  beforeEach(async () => {
    server ??= await start();
  });
  afterAll(() => apps.forEach((app) => app.kill()));

  function running(): Server {
    if (!server) throw new Error('no server');
    return server;
  }

  async function ask(query: string): Promise<unknown> {
    const { origin, token, process } = running();
    try {
      return (await post(origin, token, { query })).body;
    } catch (error) {
      // The next test gets another one.
      process.kill();
      server = undefined;
      throw error;
    }
  }

  /** Whether it responds after everything that was started has rejected. */
  async function survives(): Promise<void> {
    expect(await ask('{ viewer { released } }')).toEqual({ data: { viewer: { released: true } } });
    expect(await ask('{ viewer { id } }')).toEqual({ data: { viewer: { id: 'sam' } } });
  }

  test.each([
    ['a list', '{ viewer { items { name } } }', ['viewer', 'items', 1, 'name']],
    ['a list in a list', '{ viewer { grid { name } } }', ['viewer', 'grid', 1, 0, 'name']],
    ['an async iterable', '{ viewer { live { name } } }', ['viewer', 'live', 1, 'name']],
    ['a list after an Error', '{ viewer { texts } }', ['viewer', 'texts', 0]],
    ['a list of a mutation', 'mutation { items { name } }', ['items', 1, 'name']],
    ['a non-null field', '{ viewer { pair { name other } } }', ['viewer', 'pair', 'other']],
    ['an array that is no list', '{ viewer { leaf } }', ['viewer', 'leaf']],
  ])('when a promise in %s rejects after the response', async (_where, query, path) => {
    expect(await ask(query)).toMatchObject({ errors: [{ path }] });
    await survives();
  });

  test('when a promise rejects after its caller has disconnected', async () => {
    const { origin, token, process } = running();
    const { host, port } = new URL(origin);
    const body = JSON.stringify({ query: '{ viewer { items { name } stuck } }' });
    const head = ['POST /member/graphql HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${token}`];
    const length = `Content-Length: ${body.length}`;
    const socket = connect(Number(port), '127.0.0.1');
    socket.write([...head, 'Content-Type: application/json', length, '', body].join('\r\n'));
    expect(await once(process, 'message')).toEqual(['stuck', undefined]);
    socket.destroy();
    expect(await once(process, 'message')).toEqual(['disconnected', undefined]);
    await survives();
  });
});
