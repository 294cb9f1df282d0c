import type { IncomingMessage } from 'node:http';

/** How many chunks are stored apart: each takes a hundred bytes and more, however little is in it. */
const maxChunks = 1024;

/** Why a body was not read to its end. */
type Unread = 'too large' | 'too slow' | 'incomplete';

/** The body of a message: at most `limit` bytes, and within `seconds` where they are given. */
export function collect(message: IncomingMessage, limit: number, seconds?: number): Promise<Buffer | Unread> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const end = (result: Buffer | Unread): void => {
      clearTimeout(timer);
      message.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak).pause();
      resolve(result);
    };
    const timer = seconds === undefined ? undefined : setTimeout(() => end('too slow'), seconds * 1000);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (chunks.length === maxChunks) chunks = [Buffer.concat(chunks, size)];
      if (size > limit) end('too large');
    };
    const onEnd = (): void => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    const onBreak = (): void => end('incomplete');
    if (message.destroyed) onBreak();
    else message.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
  });
}
