import type { Scope } from '../../core/scopes/scopes.ts';
import { forOthers } from '../../i18n/texts.ts';
import type { Html, Translator } from './markup.ts';
import { changesData } from './permission-row.ts';
import { byArea, choosable } from './permissions.ts';

/** So many names of what it changes are named. */
const named = 2;

/** The person who gives the permissions, or somebody who reads what others give. */
type Reader = 'giver' | 'others';

/** The most that these permissions give, in a few words. */
export function does(t: Translator, scopes: readonly Scope[], reader: Reader = 'others'): Html {
  if (rowsOf(t, scopes).length === 0) return t.html('connected.row.identity');
  const areas = changedAreas(t, scopes, reader);
  return areas === undefined ? t.html('connected.row.views') : t.html('connected.row.changes', { areas });
}

/** What they change, by name; nothing if they change nothing. */
export function changedAreas(t: Translator, scopes: readonly string[], reader: Reader = 'others'): string | undefined {
  const nameOf = (area: string): string =>
    t.text(reader === 'giver' ? `area.${area}` : forOthers(t.has, t.catalogue, `area.${area}`));
  const changed = byArea(rowsOf(t, scopes).filter(changesData)).map(([area]) => nameOf(area));
  if (changed.length === 0) return undefined;
  const others = changed.length - named;
  const more = others > 0 ? [t.text('connected.row.more', { count: others })] : [];
  return new Intl.ListFormat(t.language).format([...changed.slice(0, named), ...more]);
}

function rowsOf({ catalogue }: Translator, scopes: readonly string[]) {
  return catalogue.rows.filter(({ scope }) => choosable(scopes).includes(scope));
}
