/** The test files of which nothing that they import starts a server, Redis, the browser or another program. */
export function filesWithoutServers(root: string): string[];

/** The test files with property tests. */
export function filesWithProperties(root: string): string[];
