import type { AppRequest, RequestGroup } from './request.ts';
import { digest } from '../../kernel/crypto.ts';

/**
 * Puts together what one answer is for: a decision on an app, or on a client that has a decision of its own; or one application, for an app
 * of one name at the same addresses.
 */
export function groupsOf(
  requests: readonly AppRequest[],
  hasRule: (clientId: string) => boolean,
): readonly RequestGroup[] {
  const groups = Map.groupBy(requests, (each) => groupKey(each, hasRule));
  return [...groups].flatMap(([key, all]) => {
    const [latest] = all;
    return latest ? [{ key, clientName: latest.clientName, requests: all, latest, version: versionOf(all) }] : [];
  });
}

type Asked = Pick<AppRequest, 'app' | 'clientName' | 'redirectUris' | 'connects'>;

export function groupKey(
  { app, clientName, redirectUris, connects }: Asked,
  hasRule: (clientId: string) => boolean,
): string {
  if (connects === undefined) return short(['request', app, clientName, [...redirectUris].sort()]);
  return short(app === 'other' || hasRule(connects) ? ['client', connects] : ['app', app]);
}

function versionOf(requests: readonly AppRequest[]): string {
  return short(requests.map(({ id, version }) => `${id} ${version}`).sort());
}

function short(parts: readonly unknown[]): string {
  return digest(JSON.stringify(parts)).slice(0, 22);
}
