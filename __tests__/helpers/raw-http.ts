import { connect } from 'node:net';

/**
 * Sends bytes as they are, and returns everything that comes back until the server closes, so a request must say `Connection: close`.
 * Our side stays open: a Node server takes a half-closed socket for a caller that disconnected.
 */
export async function rawRequest(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let response = '';
  for await (const chunk of socket) response += String(chunk);
  return response;
}
