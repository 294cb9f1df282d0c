/** What the documents below are asked of: lists, nested lists, interfaces, unions, arguments and mutations. */
export const typeDefs = `
  scalar Any
  enum Colour { RED GREEN }
  interface Node { text(size: Int): String! node: Node }
  union Found = Leaf | Tree
  type Leaf implements Node { text(size: Int): String! node: Node count: Int! found: Found must: [Node!] }
  type Tree implements Node {
    text(size: Int): String! node: Node colour: Colour! any: Any tree: Tree! grid: [[Tree!]!] texts: [String]
  }
  type Query {
    fine: String!
    broken: String
    node: Node
    found: Found
    leaf: Leaf!
    tree: Tree
    nodes: [Node!]
    founds: [Found!]
    told(text: String = "d", numbers: [Int!], colour: Colour): String
    rows: [[Leaf!]]!
    colours: [Colour!]
    set: [Leaf!]
  }
  type Mutation { fine: String! broken: String plant(size: Int!): Tree! count: Int }
`;

/** What can be selected of a type; in braces, the type of what is selected in it. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  Query: [
    'node {Node}',
    'found {Found}',
    'leaf {Leaf}',
    'tree {Tree}',
    'nodes {Node}',
    'founds {Found}',
    'told',
    'rows {Leaf}',
    'colours',
    'set {Leaf}',
    '__typename',
    '... {Query}',
    '... on Query {Query}',
    '...OnQuery',
    'a: told(text: $text)',
    'b: told(text: $text, numbers: [1, $size])',
    'c: told(colour: GREEN)',
    '__schema { queryType { name fields { name } } }',
    '__type(name: "Leaf") { name kind }',
  ],
  Mutation: ['plant(size: 1) {Tree}', 'p: plant(size: $some) {Tree}', 'count', 'd: count', '__typename'],
  Node: ['text', 'a: text(size: $size)', 'node {Node}', '... on Leaf {Leaf}', '... on Tree {Tree}', '...OnNode'],
  Found: ['... on Leaf {Leaf}', '... on Tree {Tree}', '... on Node {Node}', '__typename', '...OnFound'],
  Leaf: [
    'text',
    'b: text(size: 1)',
    'count',
    'found {Found}',
    'node {Node}',
    'must {Node}',
    '...OnNode',
    '__proto__: count',
  ],
  Tree: [
    'text',
    'c: text(size: $some)',
    'colour',
    'any',
    'tree {Tree}',
    'grid {Tree}',
    'texts',
    '... on Node { text }',
  ],
};

const directives = [
  '@skip(if: $yes)',
  '@include(if: $yes)',
  '@skip(if: false)',
  '@include(if: false)',
  '@include(if: $no)',
  '@skip(if: $yes) @include(if: $no)',
];

const fragments = `
  fragment OnQuery on Query { node { text } told ...Deep }
  fragment Deep on Query { colours tree { colour } }
  fragment OnNode on Node { text ... on Leaf { count } __typename }
  fragment OnFound on Found { ... on Tree { colour } ...OnNode }
`;

/** A valid document with one operation. Each of the numbers decides one choice, so that it ends soon after them. */
export function randomDocument(
  operation: 'query' | 'mutation',
  numbers: readonly number[],
  withDirectives: boolean,
): string {
  const left = numbers.values();
  const next = (): number => left.next().value ?? 0;
  const choose = (choices: readonly string[]): string => choices[next() % choices.length] ?? '';
  const selection = (type: string, depth: number): string => {
    const entries = Array.from({ length: 1 + (next() % 4) }, () => {
      const [, entry = '', inner] = /^(.*?)(?: \{(\w+)\})?$/.exec(choose(selectable[type] ?? ['__typename'])) ?? [];
      const alias = /^[a-z]\w+$/.test(entry) ? choose(['', '', `other_${entry}: `]) : '';
      const directive = withDirectives && !entry.includes('{') ? choose(['', '', '', ...directives]) : '';
      const below = inner === undefined ? '' : depth > 0 ? selection(inner, depth - 1) : '{ __typename }';
      return `${alias}${entry} ${directive} ${below}`;
    });
    return `{ ${entries.join(' ')} }`;
  };
  const root = operation === 'query' ? 'Query' : 'Mutation';
  const uses = ['yes: __typename @skip(if: $yes)', 'no: __typename @skip(if: $no)'];
  return `${operation} One($size: Int = 4, $some: Int! = 2, $text: String, $yes: Boolean!, $no: Boolean! = false) {
    fine broken ${withDirectives ? uses.join(' ') : ''} ${selection(root, 4).slice(1)} query Two { fine } ${fragments}`;
}
