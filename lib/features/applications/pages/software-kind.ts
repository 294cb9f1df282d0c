import type { Application } from '../../../core/applications/application.ts';
import type { ClientAudience } from '../../../core/clients/client.ts';
import { knownApp } from '../../../core/known-apps/known-apps.ts';
import { html, type Html, shortName, type Translator } from '../../../pages/kit/markup.ts';
import { appTile, type TileSize } from '../../../pages/kit/tile.ts';

/** The kinds of software that applications are for; assistants and API clients by who connects them. */
export type SoftwareKind = 'signIn' | ClientAudience;

/** What tells the kind. */
export interface SoftwareOf {
  readonly audience: ClientAudience;
  readonly signIn?: object | undefined;
}

export function softwareKind({ audience, signIn }: SoftwareOf): SoftwareKind {
  return signIn ? 'signIn' : audience;
}

export function newPath(path: string, kind: SoftwareKind): string {
  return kind === 'signIn' ? `${path}/new?for=sign-in` : `${path}/new?audience=${kind}`;
}

export function softwareTile({ audience, app, clientName }: Application, size?: TileSize): Html {
  const known = app === undefined ? undefined : { id: app, name: knownApp(app).name, verified: true };
  return appTile({ source: 'application', audience, known, clientName }, size);
}

/** What it is and where it runs; a service runs on a server. */
export function kindLine(t: Translator, application: Application): Html {
  const { audience, confidential, publicKeys } = application;
  return html`${t.html(`applications.kind.${softwareKind(application)}`)}${audience !== 'service' && html` · ${t.html(confidential ? 'applications.confidential' : 'applications.public')}`}${publicKeys && html` · ${t.html('client.key')}`}`;
}

/** By whom and when it was added. */
export function createdLine(t: Translator, { createdAt }: Application, creator: string | undefined): Html {
  const date = t.nearDate(createdAt);
  if (creator === undefined) return t.html('applications.created', { date });
  return t.html('applications.created.by', { name: shortName(creator), date });
}
