import type { RedisClient } from './options.ts';

/**
 * Waits for a connection, once for any number of calls. Without a connection, nothing is passed to the client: it would
 * queue the command and send it long after the caller has received an error.
 */
export function connector(client: RedisClient): () => Promise<void> {
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= untilReady(client).finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}

async function untilReady(client: RedisClient): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const ready = (): void => resolve();
  const ended = (): void => reject(new Error('the Redis client was closed'));
  if (client.status === 'end') ended();
  // A client made with `lazyConnect` connects at its first command.
  if (client.status === 'wait') client.call('PING').catch(() => {});
  client.once('ready', ready);
  client.once('end', ended);
  await promise.finally(() => {
    client.removeListener('ready', ready);
    client.removeListener('end', ended);
  });
}
