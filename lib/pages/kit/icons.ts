import { html, Html } from './markup.ts';

/** What each icon draws, in a field of 20 by 20 with a line of 1.5. */
const drawings = {
  activity: '<path d="M1.8 10.4h3.6L8 4l4 12.2 2.6-5.8h3.6"/>',
  apps: '<rect x="2.8" y="2.8" width="5.8" height="5.8" rx="1.5"/><rect x="11.4" y="2.8" width="5.8" height="5.8" rx="1.5"/><rect x="2.8" y="11.4" width="5.8" height="5.8" rx="1.5"/><rect x="11.4" y="11.4" width="5.8" height="5.8" rx="1.5"/>',
  arrow: '<path d="M3.4 10h13M11.4 5l5 5-5 5"/>',
  back: '<path d="M12.4 4.6 7 10l5.4 5.4"/>',
  block: '<circle cx="10" cy="10" r="7.4"/><path d="m4.9 4.9 10.2 10.2"/>',
  book: '<path d="M10 5.4C8.3 4 5.9 3.6 2.8 3.7v11.4c3.1-.1 5.5.4 7.2 1.7 1.7-1.3 4.1-1.8 7.2-1.7V3.7c-3.1-.1-5.5.3-7.2 1.7ZM10 5.4v11.2"/>',
  calendar: '<rect x="2.8" y="4" width="14.4" height="13" rx="2"/><path d="M2.8 8.2h14.4M6.8 2.4v3M13.2 2.4v3"/>',
  change:
    '<path d="m12.2 4.6 3.2 3.2M3.5 16.5l.7-3.7 8.7-8.7a1.6 1.6 0 0 1 2.3 0l.7.7a1.6 1.6 0 0 1 0 2.3l-8.7 8.7Z"/>',
  chat: '<path d="M4.6 3.6h10.8A1.8 1.8 0 0 1 17.2 5.4v6.8a1.8 1.8 0 0 1-1.8 1.8H9.6L5.8 17v-3H4.6a1.8 1.8 0 0 1-1.8-1.8V5.4a1.8 1.8 0 0 1 1.8-1.8Z"/>',
  check: '<path d="m4.3 10.6 3.7 3.7 7.7-8.5"/>',
  clock: '<circle cx="10" cy="10" r="7.4"/><path d="M10 5.8V10l2.8 1.9"/>',
  code: '<path d="m6.4 5.4-4.6 4.6 4.6 4.6M13.6 5.4l4.6 4.6-4.6 4.6"/>',
  copy: '<rect x="7" y="7" width="9.8" height="9.8" rx="1.8"/><path d="M13 6.8V5a1.8 1.8 0 0 0-1.8-1.8H5A1.8 1.8 0 0 0 3.2 5v6.2A1.8 1.8 0 0 0 5 13h1.8"/>',
  delete: '<path d="M3.5 5.6h13M7.6 5.4V3.2h4.8v2.2M5 5.8l.7 11h8.6l.7-11M8.3 9v4.6M11.7 9v4.6"/>',
  device: '<rect x="3.6" y="3.8" width="12.8" height="9" rx="1.4"/><path d="M1.8 16.2h16.4"/>',
  download: '<path d="M10 3v9.6M6 8.8l4 4 4-4M3.5 16.8h13"/>',
  inbox: '<path d="M2.5 11.4 5.2 3.8h9.6l2.7 7.6v4.8h-15ZM2.7 11.4h4.2c.3 1.7 1.4 2.6 3.1 2.6s2.8-.9 3.1-2.6h4.2"/>',
  key: '<circle cx="6.6" cy="13.4" r="3.6"/><path d="m9.2 10.8 7.6-7.6M13.6 6.4l2.4 2.4"/>',
  loop: '<path d="M16.6 8.2A6.8 6.8 0 0 0 4.2 6.4M3.4 11.8a6.8 6.8 0 0 0 12.4 1.8M3.9 2.9v3.6h3.6M16.1 17.1v-3.6h-3.6"/>',
  next: '<path d="m7.6 4.6 5.4 5.4-5.4 5.4"/>',
  people:
    '<circle cx="7.4" cy="7" r="2.8"/><path d="M2 16.4c.4-3 2.5-4.6 5.4-4.6s5 1.6 5.4 4.6M13 4.4a2.8 2.8 0 0 1 0 5.2M14.6 12c2 .6 3.2 2.1 3.5 4.4"/>',
  person: '<circle cx="10" cy="6.7" r="3.3"/><path d="M3.6 17.2c.5-3.6 3-5.4 6.4-5.4s5.9 1.8 6.4 5.4"/>',
  phone: '<rect x="5.7" y="2" width="8.6" height="16" rx="1.9"/><path d="M9 15.2h2"/>',
  plus: '<path d="M10 4v12M4 10h12"/>',
  search: '<circle cx="8.8" cy="8.8" r="5.5"/><path d="m13 13 4.2 4.2"/>',
  shield:
    '<path d="M10 2.2 16.3 4.4v5c0 4-2.6 6.9-6.3 8.4-3.7-1.5-6.3-4.4-6.3-8.4v-5Z"/><path d="m7.2 9.9 2 2 3.7-3.9"/>',
  terminal: '<rect x="2" y="3.4" width="16" height="13.2" rx="2.2"/><path d="m5.6 7.4 2.8 2.6-2.8 2.6M10.4 12.8h4"/>',
  undo: '<path d="M7 3.8 3 7.8l4 4M3.4 7.8h8.2a4.4 4.4 0 0 1 0 8.8H8.2"/>',
  view: '<path d="M1.8 10S4.8 4.6 10 4.6s8.2 5.4 8.2 5.4-3 5.4-8.2 5.4S1.8 10 1.8 10Z"/><circle cx="10" cy="10" r="2.4"/>',
  warn: '<path d="M10 2.9 18 16.7H2Z"/><path d="M10 8v3.9M10 14.3v.1"/>',
} as const;

export type IconName = keyof typeof drawings;

/** Icons that show a direction, which is the other one in a right-to-left language. */
const directed: readonly IconName[] = ['arrow', 'back', 'next'];

/** Says nothing that the text beside it does not. `withDrawings` adds what it draws. */
export function icon(name: IconName, tone?: 'good' | 'warn' | 'bad'): Html {
  const classes = ['icon', directed.includes(name) && 'flip', tone].filter((each) => typeof each === 'string');
  return html`<svg class="${classes.join(' ')}" aria-hidden="true"><use href="#i-${name}"/></svg>`;
}

/** A page with the drawings of its icons, each once. No text of others can have these quotation marks. */
export function withDrawings(content: string): string {
  const names = Object.keys(drawings).filter(isIcon);
  const used = names.filter((name) => content.includes(`<use href="#i-${name}"/>`));
  if (used.length === 0) return content;
  const symbols = used.map(
    (name) => html`<symbol id="i-${name}" viewBox="0 0 20 20">${new Html(drawings[name])}</symbol>`,
  );
  return `${content}\n${html`<svg hidden>${symbols}</svg>`.text}`;
}

function isIcon(name: string): name is IconName {
  return Object.hasOwn(drawings, name);
}
