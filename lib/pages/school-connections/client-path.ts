/** The page of one client. A client id can be an address. */
export function clientPath(path: string, clientId: string): string {
  return `${path}?client=${encodeURIComponent(clientId)}`;
}
