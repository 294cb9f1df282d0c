/** A link or picture of a Markdown file that leads to a file or heading, not to the web. */
export interface RelativeLink {
  readonly line: number;
  /** The path as written; empty for a heading of the same file. */
  readonly path: string;
  /** The heading's anchor, without `#`. */
  readonly anchor?: string;
}

/** The relative links of a Markdown text. */
export function relativeLinks(markdown: string): RelativeLink[] {
  return withoutCode(markdown)
    .split('\n')
    .flatMap((text, i) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
        const [path = '', anchor] = target.split('#');
        return [{ line: i + 1, path, ...(anchor !== undefined && { anchor }) }];
      }),
    );
}

/** The anchors of the headings of a Markdown text, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The paths of the repository that a Markdown text mentions in code font: files, and folders with a slash at the end. */
export function mentionedPaths(markdown: string): string[] {
  const path =
    /`((?:lib|adapters|policies|examples|__tests__|docs|contributing|bench|tools\/docs|scripts)\/[\w./-]*)`/g;
  return [...withoutFences(markdown).matchAll(path)].map(([, name = '']) => name);
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/`[^`\n]*`/g, '');
}

/** Fenced blocks as blank lines. */
function withoutFences(markdown: string): string {
  return markdown.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ''));
}
