import { Marked, type Tokens } from 'marked';
import type { McpDescription, MemberApiDescription } from '../contracts/plugin.ts';
import type { RouteCall } from '../contracts/route.ts';
import { paths } from '../protocol/paths.ts';
import { html, Html } from './kit/html.ts';
import type { PageBuilder, Pages } from './kit/pages.ts';
import { boundedCache } from '../runtime/bounded-cache.ts';

interface GuideSection {
  readonly id: string;
  readonly heading: Html;
}

interface RenderedGuide {
  readonly sections: readonly GuideSection[];
  readonly body: Html;
}

interface GuideLink {
  readonly text: 'guide.openapi' | 'guide.graphiql' | 'guide.assistants';
  readonly href: string;
}

interface GuideView {
  readonly school: string;
  readonly guide: RenderedGuide;
  readonly links: readonly GuideLink[];
}

interface GuideService {
  readonly memberApi: MemberApiDescription | undefined;
  readonly mcp: McpDescription | undefined;
}

/** Sends the guide for client developers, which is in English, to people who open it in a browser. Its Markdown is rendered once for each text. */
export function guideSender(
  pages: Pages,
  { memberApi, mcp }: GuideService,
): (call: RouteCall, markdown: string) => Promise<void> {
  const rendered = boundedCache<RenderedGuide>(100);
  const links: GuideLink[] = [{ text: 'guide.openapi', href: paths.openapi }];
  if (memberApi?.graphiql) links.push({ text: 'guide.graphiql', href: paths.memberGraphql });
  if (mcp) links.push({ text: 'guide.assistants', href: paths.mcp });
  return ({ ctx, site }, markdown) => {
    const guide = rendered.get(markdown) ?? renderGuide(markdown);
    rendered.set(markdown, guide);
    return pages.send(ctx, site, guidePage({ school: site.name, guide, links }));
  };
}

function guidePage({ school, guide: { sections, body }, links }: GuideView): PageBuilder {
  return (t) => ({
    title: t.text('guide.title', { school }),
    heading: t.html('guide.title', { school }),
    wide: true,
    body: html`<p class="soft">${t.html('guide.about')}</p>
<ul>${links.map(({ text, href }) => html`<li><a href="${href}">${t.html(text)}</a></li>`)}</ul>
<nav aria-labelledby="contents"><h2 id="contents">${t.html('guide.contents')}</h2>
<ol lang="en" dir="ltr">${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ol></nav>
<div class="guide" lang="en" dir="ltr">${body}</div>`,
  });
}

/**
 * Markdown as HTML: the headings get ids, and the title is left out, since a page has its own. Markup within the text is shown
 * as text, images are not loaded, and only `https:`, `http:` and relative addresses are links.
 */
function renderGuide(markdown: string): RenderedGuide {
  const sections: GuideSection[] = [];
  const ids = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => html`${text}`.text,
      image: ({ text }) => html`${text}`.text,
      heading({ tokens, depth, text }) {
        if (depth === 1) return '';
        const heading = new Html(this.parser.parseInline(tokens));
        const name = `${text.toLowerCase().replace(/[^a-z\d]+/g, '-')}-${depth}`;
        // Headings of the host's can be like ours, or have no letter of these.
        const count = (ids.get(name) ?? 0) + 1;
        ids.set(name, count);
        const id = count === 1 ? name : `${name}_${count}`;
        if (depth === 2) sections.push({ id, heading });
        return html`<${tag(depth)} id="${id}">${heading}</${tag(depth)}>`.text;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = new Html(this.parser.parseInline(tokens));
        const isSafe = /^https?:$/.test(URL.parse(href, 'https://relative.invalid')?.protocol ?? '');
        return (isSafe ? html`<a href="${href}">${content}</a>` : content).text;
      },
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>`.text,
    },
  });
  const body = new Html(marked.parse(markdown, { async: false }).replaceAll(/<(\/?)table>/g, scrolling));
  return { sections, body };
}

function tag(depth: number): Html {
  return new Html(`h${depth}`);
}

/** A table that is wider than a phone scrolls by itself, also with the keyboard. */
function scrolling(table: string, slash: string): string {
  return slash === '' ? `<div class="scroll" tabindex="0">${table}` : `${table}</div>`;
}
