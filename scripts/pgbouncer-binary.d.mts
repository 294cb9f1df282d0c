export interface PgBouncerBinary {
  bin: string;
  env: Record<string, string>;
  version: [major: number, minor: number];
}
export function findPgBouncer(): PgBouncerBinary;
