/** What is needed to submit a form. */
interface HtmlForm {
  readonly action: string;
  readonly method: string;
  /** The names of all controls. */
  readonly names: ReadonlySet<string>;
  /** What a browser would submit for the untouched form, without buttons. */
  readonly values: readonly [name: string, value: string][];
  /** All checkboxes, ticked or not. */
  readonly boxes: readonly [name: string, value: string][];
}

/** Finds the forms of a page. It understands the markup of our own pages; it is not an HTML parser. */
export function findForms(page: string): HtmlForm[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].map(([, tag = '', content = '']) => {
    const form = readAttributes(tag);
    const controls = [...content.matchAll(/<(input|button)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gi)].map(
      ([, element = '', attributes = '']) => ({ element: element.toLowerCase(), ...control(attributes) }),
    );
    return {
      action: form.get('action') ?? '',
      method: (form.get('method') ?? 'get').toLowerCase(),
      names: new Set(controls.map(({ name }) => name)),
      values: controls.filter(({ element, sent }) => element === 'input' && sent).map((c) => [c.name, c.value]),
      boxes: controls.filter(({ isBox }) => isBox).map((c) => [c.name, c.value]),
    };
  });
}

function control(tag: string): { name: string; value: string; sent: boolean; isBox: boolean } {
  const attributes = readAttributes(tag);
  const name = attributes.get('name') ?? '';
  const type = attributes.get('type')?.toLowerCase() ?? 'text';
  const ticked = (type !== 'checkbox' && type !== 'radio') || attributes.has('checked');
  const sent = name !== '' && ticked && !attributes.has('disabled') && type !== 'submit' && type !== 'button';
  const isBox = type === 'checkbox' && !attributes.has('disabled');
  return { name, value: attributes.get('value') ?? (type === 'checkbox' ? 'on' : ''), sent, isBox };
}

function readAttributes(tag: string): ReadonlyMap<string, string> {
  const found = tag.matchAll(/([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[name ?? ''] ?? whole;
  });
}
