import type { Site } from '../../host/school-platform.ts';
import { html, Html } from '../../pages/kit/markup.ts';
import type { PageBuilder } from '../../pages/kit/pages.ts';
import { paths } from '../../http/paths.ts';
import type { ServiceDescription } from '../service-description.ts';
import { guideParts } from './guide.ts';
import type { Part } from '../guide-parts.ts';

/** The guide for people who open it in a browser. The guide itself is in English. */
export function guidePage(site: Site, service: ServiceDescription): PageBuilder {
  const { memberApi, mcp } = service;
  const parts = guideParts(site, service);
  const links = [
    { text: 'guide.openapi', href: paths.openapi },
    ...(memberApi?.graphiql ? [{ text: 'guide.graphiql', href: paths.memberGraphql } as const] : []),
    ...(mcp ? [{ text: 'guide.assistants', href: paths.mcp } as const] : []),
  ] as const;
  return (t) => ({
    page: 'guide',
    title: t.text('guide.title', { school: site.name }),
    heading: t.html('guide.title', { school: site.name }),
    wide: true,
    body: html`<p class="soft">${t.html('guide.about')}</p>
<ul>${links.map(({ text, href }) => html`<li><a href="${href}">${t.html(text)}</a></li>`)}</ul>
<nav aria-labelledby="contents"><h2 id="contents">${t.html('guide.contents')}</h2>
<ol lang="en" dir="ltr">${parts.map(contentsEntry)}</ol></nav>
<div class="guide" lang="en" dir="ltr">${parts.map(block)}</div>`,
  });
}

function contentsEntry(part: Part): Html | false {
  const isSection = typeof part === 'object' && part.kind === 'heading' && part.level === 2;
  return isSection && html`<li><a href="#${idOf(part.text)}">${inline(part.text)}</a></li>`;
}

function idOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
}

function block(part: Part): Html {
  if (typeof part === 'string') return html`${part.split(/\n{2,}/).map((text) => html`<p>${inline(text)}</p>\n`)}`;
  if (part.kind === 'shell') return html`<pre tabindex="0"><code>${part.commands}</code></pre>\n`;
  if (part.kind === 'heading') {
    const tag = new Html(`h${part.level}`);
    return html`<${tag} id="${idOf(part.text)}">${inline(part.text)}</${tag}>\n`;
  }
  if (part.kind === 'list') {
    const tag = new Html(part.ordered ? 'ol' : 'ul');
    return html`<${tag}>${part.items.map((item) => html`<li>${inline(item)}</li>`)}</${tag}>\n`;
  }
  // A table that is wider than a phone scrolls by itself, also with the keyboard.
  return html`<div class="scroll" tabindex="0"><table><thead>${tableRow('th', part.columns)}</thead>
<tbody>${part.rows.map((row) => tableRow('td', row))}</tbody></table></div>\n`;
}

function tableRow(tag: 'th' | 'td', texts: readonly string[]): Html {
  const cell = new Html(tag);
  return html`<tr>${texts.map((text) => html`<${cell}>${inline(text)}</${cell}>`)}</tr>\n`;
}

const marks =
  /`(?<code>[^`]+)`|\*\*(?<strong>[^*]+)\*\*|!?\[(?<label>[^\][]*)\]\((?<target>[^)[\s]*)\)|(?<address>https?:\/\/[^\s<>]*[^\s<>.,;:)])/g;

/** The host’s text is part of the guide: only `http:` and `https:` addresses become links, and pictures their description. */
function inline(text: string): Html {
  const pieces: (string | Html)[] = [];
  let end = 0;
  for (const { 0: all, index, groups = {} } of text.matchAll(marks)) {
    const { code, strong, label, target = '', address } = groups;
    pieces.push(text.slice(end, index));
    end = index + all.length;
    if (code !== undefined) pieces.push(html`<code>${code}</code>`);
    else if (strong !== undefined) pieces.push(html`<strong>${strong}</strong>`);
    else if (address !== undefined) pieces.push(html`<a href="${address}">${address}</a>`);
    else if (!all.startsWith('!') && /^https?:/.test(target)) pieces.push(html`<a href="${target}">${label}</a>`);
    else pieces.push(label ?? '');
  }
  return html`${[...pieces, text.slice(end)]}`;
}
