import type { DefaultTreeAdapterTypes } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value;
}

export function childrenOf(element: Element): Element[] {
  return element.childNodes.filter(isElement);
}

/** Those below, in the order of the document. */
export function elementsIn(element: Element): Element[] {
  return childrenOf(element).flatMap((child) => [child, ...elementsIn(child)]);
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

const controls = new Set(['input', 'select', 'textarea']);

/** Whether a person can fill it in, or a form sends it. */
export const isControl = ({ tagName }: Element): boolean => controls.has(tagName);

const roles: Readonly<Record<string, string>> = {
  article: 'article',
  aside: 'complementary',
  button: 'button',
  code: 'code',
  dd: 'definition',
  details: 'group',
  dialog: 'dialog',
  dt: 'term',
  fieldset: 'group',
  footer: 'contentinfo',
  form: 'form',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  header: 'banner',
  li: 'listitem',
  main: 'main',
  nav: 'navigation',
  ol: 'list',
  option: 'option',
  p: 'paragraph',
  select: 'combobox',
  strong: 'strong',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  time: 'time',
  tr: 'row',
  ul: 'list',
};

const inputRoles: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  search: 'searchbox',
  submit: 'button',
};

/** HTML Accessibility API Mappings, for the elements of our pages. */
export function roleOf(element: Element, root: Element): string | undefined {
  const { tagName } = element;
  const own = attributeOf(element, 'role');
  if (own !== undefined) return own;
  if (tagName === 'a') return attributeOf(element, 'href') === undefined ? undefined : 'link';
  if (tagName === 'img') return attributeOf(element, 'alt') === '' ? 'presentation' : 'img';
  if (tagName === 'section') return nameOf(element, root) === '' ? undefined : 'region';
  if (tagName === 'input') return inputRoles[attributeOf(element, 'type') ?? 'text'] ?? 'textbox';
  return roles[tagName];
}

/** The part of an element that names it. */
const captions: Readonly<Record<string, string>> = { details: 'summary', fieldset: 'legend', table: 'caption' };

/** What no text of its own names. */
const unnamed = new Set(['aside', 'dialog', 'form', 'main', 'nav', 'section']);

/** Accessible Name and Description Computation, for the elements of our pages. */
export function nameOf(element: Element, root: Element): string {
  const { tagName } = element;
  const by = attributeOf(element, 'aria-labelledby');
  if (by !== undefined) return textOfIds(by, root);
  const own = attributeOf(element, 'aria-label') ?? attributeOf(element, 'alt');
  if (own !== undefined) return tidy(own);
  if (isControl(element)) return labelsOf(element, root).map(readText).join(' ');
  const caption = captions[tagName];
  if (caption === undefined) return unnamed.has(tagName) ? '' : readText(element);
  const named = childrenOf(element).find((child) => child.tagName === caption);
  return named ? readText(named) : '';
}

function labelsOf(control: Element, root: Element): Element[] {
  const id = attributeOf(control, 'id');
  return elementsIn(root).filter(
    (label) =>
      label.tagName === 'label' &&
      ((id !== undefined && attributeOf(label, 'for') === id) || elementsIn(label).includes(control)),
  );
}

/** The texts of the elements with these ids: what `aria-labelledby` and `aria-describedby` say. */
export function textOfIds(ids: string, root: Element): string {
  const all = elementsIn(root);
  const found = ids.split(' ').flatMap((id) => all.filter((element) => attributeOf(element, 'id') === id));
  return found.map(textOf).join(' ');
}

/** Whether it is there for nobody. */
function isHidden(element: Element): boolean {
  const isHiddenField = element.tagName === 'input' && attributeOf(element, 'type') === 'hidden';
  const isUnseen = ['head', 'script', 'style'].includes(element.tagName);
  // The style shows it in place of what is beside it, and only while less is ticked.
  const isOther = ['only-view', 'only-none', 'both problem'].includes(attributeOf(element, 'class') ?? '');
  return isHiddenField || isUnseen || isOther || attributeOf(element, 'hidden') !== undefined;
}

const isHiddenFromReaders = (element: Element): boolean =>
  isHidden(element) || attributeOf(element, 'aria-hidden') === 'true';

/** Whether a screen reader leaves it out. */
export function isLeftOut(element: Element): boolean {
  const above = element.parentNode;
  return isHiddenFromReaders(element) || (above !== null && isElement(above) && isLeftOut(above));
}

/** What a person sees in it, with single spaces. */
export function textOf(element: Element): string {
  return tidy(visible(element, isHidden));
}

/** The same without what is for the eye alone. */
function readText(element: Element): string {
  return tidy(visible(element, isHiddenFromReaders));
}

const inline = new Set('a abbr b bdi bdo code em i small span strong time u'.split(' '));

function visible(element: Element, leftOut: (element: Element) => boolean): string {
  const texts = element.childNodes.map((node) => {
    if ('value' in node) return node.value;
    if (!isElement(node) || leftOut(node) || isControl(node)) return ' ';
    const text = visible(node, leftOut);
    return inline.has(node.tagName) ? text : ` ${text} `;
  });
  return texts.join('');
}

const tidy = (text: string): string => text.replaceAll(/[ \t\r\n\f]+/g, ' ').trim();

/** What a form sends of it, and what a person finds filled in. */
export function valueOf(control: Element): string {
  if (control.tagName === 'textarea')
    return control.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
  if (control.tagName !== 'select') return attributeOf(control, 'value') ?? '';
  const options = elementsIn(control).filter(({ tagName }) => tagName === 'option');
  const chosen = options.find((option) => attributeOf(option, 'selected') !== undefined) ?? options[0];
  return chosen ? (attributeOf(chosen, 'value') ?? textOf(chosen)) : '';
}
