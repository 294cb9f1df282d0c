/** An operation in text, with values for its variables. */
export interface RandomOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, boolean>>;
}

/** How operations are made. */
export interface Shape {
  /** Whether interfaces and unions are gone through, and types asked for their name, which no resolver sees. */
  readonly abstract: boolean;
}

/** One of these; the first, when nothing is left to choose by. */
type Choose = <T>(...choices: readonly [T, ...T[]]) => T;

/** The fields of a type: `undefined` for a leaf, else the type that is behind. */
const fields: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  Query: { viewer: 'Viewer' },
  Viewer: {
    id: undefined,
    diary: undefined,
    book: 'Book',
    vault: 'Vault',
    thing: 'Thing',
    found: 'Found',
    shelf: 'Thing',
  },
  Thing: { id: undefined, label: undefined, secret: undefined, next: 'Thing', book: 'Book' },
  Found: {},
  Book: { id: undefined, label: undefined, secret: undefined, pages: undefined, next: 'Thing', book: 'Book' },
  Vault: { id: undefined, label: undefined, secret: undefined, gold: undefined, next: 'Thing', book: 'Book' },
};
const isAbstract = (type: string | undefined): boolean => type === 'Thing' || type === 'Found';

/** Types on which a fragment may stand inside another. */
const conditions: Readonly<Record<string, readonly string[]>> = {
  Query: ['Query'],
  Viewer: ['Viewer'],
  Thing: ['Thing', 'Book', 'Vault', 'Found'],
  Found: ['Thing', 'Book', 'Vault', 'Found'],
  Book: ['Book', 'Thing', 'Found'],
  Vault: ['Vault', 'Thing', 'Found'],
};

const variables = { yes: true, no: false, alsoYes: true, constructor: false, toString: true };

const declared = [
  ['yes', 'Boolean!'],
  ['no', 'Boolean!'],
  ['alsoYes', 'Boolean! = false'],
  ['absent', 'Boolean! = true'],
  ['constructor', 'Boolean!'],
  ['toString', 'Boolean!'],
  ['hasOwnProperty', 'Boolean! = true'],
] as const;

/** Whether a selection is to run, said in every way there is. */
const directives = [
  ...Array.from({ length: 12 }, () => ''),
  '@skip(if: false)',
  '@skip(if: true)',
  '@skip(if: $no)',
  '@skip(if: $yes)',
  '@skip(if: $absent)',
  '@include(if: true)',
  '@include(if: false)',
  '@include(if: $yes)',
  '@include(if: $no)',
  '@include(if: $absent)',
  // Names that every object has.
  '@include(if: $constructor)',
  '@skip(if: $toString)',
  '@skip(if: $hasOwnProperty)',
  '@skip(if: $no) @include(if: $alsoYes)',
  '@include(if: $yes) @skip(if: $alsoYes)',
];

class Maker {
  readonly #choose: Choose;
  readonly #shape: Shape;
  readonly fragments: string[] = [];
  /** Fragments that can be spread again, by the type they stand on. */
  readonly #named: { readonly name: string; readonly on: string }[] = [];

  constructor(choose: Choose, shape: Shape) {
    this.#choose = choose;
    this.#shape = shape;
  }

  selectionSet(type: string, depth: number): string {
    const count = this.#choose(1, 2, 3, 4);
    return `{ ${Array.from({ length: count }, () => this.#selection(type, depth)).join(' ')} }`;
  }

  #selection(type: string, depth: number): string {
    const directive = this.#choose('', ...directives);
    const way = depth > 0 ? this.#choose('field', 'field', 'inline', 'named', 'again') : 'field';
    if (way === 'field') return this.#field(type, depth, directive);
    const on = this.#choose(type, ...(conditions[type] ?? []).filter((name) => this.#allows(name)));
    if (way === 'inline') {
      const condition = this.#choose('', `on ${on}`);
      return `... ${condition} ${directive} ${this.selectionSet(condition === '' ? type : on, depth - 1)}`;
    }
    const [known, ...others] = this.#named.filter((fragment) => fragment.on === on);
    if (way === 'again' && known !== undefined) return `...${this.#choose(known, ...others).name} ${directive}`;
    // Made before it is named, so that no fragment can spread itself.
    const body = this.selectionSet(on, depth - 1);
    const name = `${this.#choose('F', '__schema', '__typename', 'on_')}${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${on} ${body}`);
    this.#named.push({ name, on });
    return `...${name} ${directive}`;
  }

  #field(type: string, depth: number, directive: string): string {
    const usable = Object.entries(fields[type] ?? {}).filter(
      ([, behind]) => behind === undefined || (depth > 0 && this.#allows(behind)),
    );
    // Of a type that has no other field, or whose name no resolver sees.
    const named = type === 'Query' || this.#shape.abstract;
    const leaf: [string, string | undefined] = named ? ['__typename', undefined] : ['id', undefined];
    const [name, behind] = this.#choose(leaf, ...usable, ...usable, ...usable);
    const alias = this.#choose('', `a_${name}:`, `viewer_${name}:`);
    return `${alias} ${name} ${directive} ${behind === undefined ? '' : this.selectionSet(behind, depth - 1)}`;
  }

  #allows(type: string): boolean {
    return this.#shape.abstract || !isAbstract(type);
  }
}

/**
 * An operation of any form on the library: what is guarded is reached in every way that GraphQL has.
 * Each of the numbers decides one choice, so that an operation ends soon after them.
 */
export function randomOperation(numbers: readonly number[], shape: Shape): RandomOperation {
  const left = numbers.values();
  const choose: Choose = (...choices) => choices[(left.next().value ?? 0) % choices.length] ?? choices[0];
  const maker = new Maker(choose, shape);
  const selections = maker.selectionSet('Query', 6);
  const head = `query (${declared.map(([name, type]) => `$${name}: ${type}`).join(', ')})`;
  const uses = declared.map(([name]) => `${name}: __typename @skip(if: $${name})`);
  return { query: `${head} { ${uses.join(' ')} ${selections.slice(1)} ${maker.fragments.join(' ')}`, variables };
}
