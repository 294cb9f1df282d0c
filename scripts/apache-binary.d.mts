export interface ApacheBinary {
  bin: string;
  modules: string;
  env: Record<string, string>;
}
export function findApache(): ApacheBinary | undefined;
