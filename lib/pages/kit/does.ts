import type { Scope } from '../../core/scopes/scopes.ts';
import { forOthers } from '../../i18n/texts.ts';
import type { Html, Translator } from './markup.ts';
import { changesData } from './permission-row.ts';
import { byArea, choosable } from './permissions.ts';

/** So many names of what it changes are named. */
const named = 2;

/** The most that these permissions give, in a few words: to who gives them, or to who reads what other people give. */
export function does(t: Translator, scopes: readonly Scope[], reader: 'giver' | 'others' = 'others'): Html {
  const nameOf = (area: string): string =>
    t.text(reader === 'giver' ? `area.${area}` : forOthers(t.has, t.catalogue, `area.${area}`));
  const rows = t.catalogue.rows.filter(({ scope }) => choosable(scopes).includes(scope));
  if (rows.length === 0) return t.html('connected.row.identity');
  const changed = byArea(rows.filter(changesData)).map(([area]) => nameOf(area));
  if (changed.length === 0) return t.html('connected.row.views');
  const others = changed.length - named;
  const more = others > 0 ? [t.text('connected.row.more', { count: others })] : [];
  const areas = new Intl.ListFormat(t.language).format([...changed.slice(0, named), ...more]);
  return t.html('connected.row.changes', { areas });
}
