import { connect } from 'node:net';

/** Sends bytes as they are, and returns everything that comes back until the server closes. */
export async function rawRequest(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  return response;
}
