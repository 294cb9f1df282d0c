import { parse } from 'parse5';
import {
  attributeOf,
  childrenOf,
  type Element,
  elementsIn,
  isControl,
  isLeftOut,
  nameOf,
  roleOf,
  textOf,
  textOfIds,
  valueOf,
} from './accessibility.ts';

/** A string is the whole of it, a pattern is found somewhere in it. */
type Match = string | RegExp;

/** What narrows a role down: the accessible name, all of the text, the level of a heading. */
interface Wanted {
  readonly name?: Match;
  readonly text?: Match;
  readonly level?: number;
}

let last: { readonly html: string; readonly page: Page } | undefined;

/** The HTML of a response, parsed as a browser does, where a test finds things as a screen reader does. */
export function readPage(html: string): Page {
  // A test asks the page that it has got several times in a row.
  if (last?.html !== html) last = { html, page: new Page(html) };
  return last.page;
}

/** A part of a page. Where `getBy…` or `field` finds nothing or several, the error says what there is. */
export class Part {
  readonly #element: Element;
  readonly #root: Element;

  constructor(element: Element, root: Element = element) {
    this.#element = element;
    this.#root = root;
  }

  getAllByRole(role: string, wanted: Wanted = {}): Part[] {
    return this.#parts().filter((part) => part.role === role && part.#is(wanted) && !isLeftOut(part.#element));
  }

  queryByRole(role: string, wanted: Wanted = {}): Part | undefined {
    const found = this.getAllByRole(role, wanted);
    if (found.length > 1) throw new Error(`${found.length} times ${role} ${told(wanted)}: ${listed(found)}`);
    return found[0];
  }

  getByRole(role: string, wanted: Wanted = {}): Part {
    const found = this.queryByRole(role, wanted);
    if (!found) throw new Error(`no ${role} ${told(wanted)}; there are: ${listed(this.getAllByRole(role))}`);
    return found;
  }

  /** The field with this label. */
  getByLabelText(label: Match): Part {
    const all = this.#parts().filter((part) => isControl(part.#element) && !isLeftOut(part.#element));
    const found = all.filter(({ name }) => matches(name, label));
    return only(found, `field ${label}`, listed(all));
  }

  /** The innermost elements with this text. */
  getAllByText(text: Match): Part[] {
    const found = this.#parts().filter((part) => matches(part.text, text));
    const inner = new Set(found.map((part) => part.#element.parentNode));
    return found.filter((part) => !inner.has(part.#element));
  }

  getByText(text: Match): Part {
    return only(this.getAllByText(text), `text ${text}`, this.text);
  }

  /** For what has no role, such as a text that a script copies. */
  getById(id: string): Part | undefined {
    return this.#parts().find((part) => part.attribute('id') === id);
  }

  /** Everything below that the test wants, in the order of the page. */
  getAll(isWanted: (part: Part) => boolean): Part[] {
    return this.#parts().filter(isWanted);
  }

  get children(): Part[] {
    return childrenOf(this.#element).map((element) => new Part(element, this.#root));
  }

  /** The value that a form sends for this name, also of a hidden field. */
  field(name: string): string {
    const value = this.fields.get(name);
    if (value === null) throw new Error(`no field ${name}; there are: ${[...this.fields.keys()].join()}; ${this.text}`);
    return value;
  }

  /** What a browser sends of the form or page, without the button that was pressed. A field elsewhere can be of the form. */
  get fields(): URLSearchParams {
    const id = this.attribute('id');
    const own = this.#parts();
    const elsewhere =
      this.role === 'form' && id !== undefined
        ? elementsIn(this.#root)
            .map((element) => new Part(element, this.#root))
            .filter((part) => part.attribute('form') === id)
        : [];
    const sent = [...own, ...elsewhere].filter((part) => {
      const type = part.attribute('type') ?? '';
      if (!isControl(part.#element) || part.attribute('disabled') !== undefined || type === 'submit') return false;
      return part.attribute('name') !== undefined && (part.checked || !['checkbox', 'radio'].includes(type));
    });
    return new URLSearchParams(sent.map((part) => [part.attribute('name') ?? '', part.value]));
  }

  /** The terms of lists of facts, each with what stands beside it. */
  get facts(): Record<string, string> {
    const facts = this.#parts().filter(({ role = '' }) => ['term', 'definition'].includes(role));
    return Object.fromEntries(
      facts.flatMap(({ role, text }, i) => (role === 'term' ? [[text, facts[i + 1]?.text ?? '']] : [])),
    );
  }

  get role(): string | undefined {
    return roleOf(this.#element, this.#root);
  }

  /** The accessible name. */
  get name(): string {
    return nameOf(this.#element, this.#root);
  }

  get description(): string {
    return textOfIds(this.attribute('aria-describedby') ?? '', this.#root);
  }

  /** What a person sees in it, with single spaces. */
  get text(): string {
    return textOf(this.#element);
  }

  get href(): string {
    const href = this.attribute('href');
    if (href === undefined) throw new Error(`not a link: ${this.text}`);
    return href;
  }

  get value(): string {
    return valueOf(this.#element);
  }

  get checked(): boolean {
    return this.attribute('checked') !== undefined;
  }

  attribute(name: string): string | undefined {
    return attributeOf(this.#element, name);
  }

  #parts(): Part[] {
    return elementsIn(this.#element).map((element) => new Part(element, this.#root));
  }

  #is({ name, text, level }: Wanted): boolean {
    const isLevel = level === undefined || this.#element.tagName === `h${level}`;
    return (
      isLevel && (text === undefined || matches(this.text, text)) && (name === undefined || matches(this.name, name))
    );
  }
}

/** The whole page; its attributes are those of the document, such as `lang` and `dir`. */
export class Page extends Part {
  readonly title: string;

  constructor(html: string) {
    // Every page has the whole style sheet, which the parser would read character by character.
    const root = parse(html.replace(/(<style\b[^>]*>)[^<]*/g, '$1')).childNodes.find((node) => 'tagName' in node);
    if (!root) throw new Error('a document always has a root');
    super(root);
    this.title =
      elementsIn(root)
        .filter(({ tagName }) => tagName === 'title')
        .map(textOf)[0] ?? '';
  }
}

const matches = (text: string, wanted: Match): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);

const listed = (parts: readonly Part[]): string =>
  parts.map(({ name, text }) => `"${name || text}"`).join(', ') || 'none';

const told = (wanted: Wanted): string =>
  Object.entries(wanted)
    .map(([key, value]) => `of ${key} ${String(value)}`)
    .join(' ');

function only(found: readonly Part[], what: string, there: string): Part {
  const [first, ...more] = found;
  if (first && more.length === 0) return first;
  throw new Error(`${found.length} times ${what}; there are: ${there}`);
}
