/** The `go` command. */
export interface GoCommand {
  readonly bin: string;
}

export function findGo(): GoCommand | undefined;
export function buildGo(go: GoCommand, folder: string, source: string): string;
