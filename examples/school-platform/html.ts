/** Markup that is inserted without escaping. */
export interface Html {
  readonly markup: string;
}

type Value = string | Html | readonly Html[] | undefined | false;

/** Escapes strings, inserts `Html` and lists of it, and omits `undefined` and `false`. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.map((text, index) => text + toMarkup(values[index])).join('');
  return { markup };
}

function toMarkup(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in value ? value.markup : value.map((part) => part.markup).join('');
}
