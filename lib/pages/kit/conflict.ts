import type { DecidedBy } from '../../core/clients/expected-version.ts';
import type { HostPlatform } from '../../host/checked-platform.ts';
import { field, type Form } from '../../http/body.ts';
import { html, type Html, shortName, type Translator } from './markup.ts';
import type { Site, Member } from '../../host/school-platform.ts';

/** A decision or change that a page has not shown. */
export interface Conflict {
  /** In seconds since the epoch; absent if a decision was taken back. */
  readonly at?: number | undefined;
  /** The person who made it, as pages name them. @default unknown */
  readonly name?: string | undefined;
  /** Whether it was the person of the page, in another window. */
  readonly isOwn: boolean;
}

export async function namedConflict(
  platform: HostPlatform,
  { site, member }: { readonly site: Site; readonly member: Member },
  decided: DecidedBy | undefined,
): Promise<Conflict> {
  const { at, by } = decided ?? {};
  const found = by === undefined ? undefined : await platform.findMember(site, by);
  return { at, name: found && (found.name ?? by), isOwn: by === member.id };
}

/** The version that a form showed: a form without one has shown nothing. */
export function shownIn(form: Form): { readonly version: string } {
  return { version: field(form, 'version') ?? '' };
}

/** Who did it, and when. */
export function conflictText(t: Translator, { at, name, isOwn }: Conflict): Html {
  if (at === undefined) return t.html('stale.back');
  const time = t.nearMoment(at);
  if (isOwn) return t.html('stale.you', { time });
  return name === undefined ? t.html('stale.somebody', { time }) : t.html('stale.by', { name: shortName(name), time });
}

/** The same, and that the person decides again. */
export function staleText(t: Translator, conflict: Conflict): Html {
  return html`${conflictText(t, conflict)} ${t.html('stale.nothing')}`;
}
