export interface NginxWithJs {
  bin: string;
  jsModule: string;
  env: Record<string, string>;
}
export function findNginxJs(): NginxWithJs | undefined;
