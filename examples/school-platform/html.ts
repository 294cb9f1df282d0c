/** Markup that is sent as it is. */
export interface Html {
  readonly markup: string;
}

type Value = string | Html | readonly Html[] | undefined | false;

/** Markup from a template. Strings are escaped; markup and lists of it are not; `undefined` and `false` leave a gap. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.map((text, index) => text + toMarkup(values[index])).join('');
  return { markup };
}

function toMarkup(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return 'markup' in value ? value.markup : value.map((part) => part.markup).join('');
}
