import {
  type DefinitionNode,
  type FieldDefinitionNode,
  isTypeExtensionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  visit,
} from 'graphql';
import { isDataMethod, type PartialMemberData, serves } from '../../host/member-data.ts';
import type { MemberResolvers } from '../../plugin-contract/member-api.ts';
import { memberSchema } from './sdl.ts';

/** What a platform serves of the built-in schema, and what it adds. */
export interface ServedParts {
  readonly data?: PartialMemberData | undefined;
  readonly typeDefs?: string | undefined;
  readonly resolvers?: MemberResolvers | undefined;
}

/** A definition of the built-in schema, and the types that it names. */
interface Part {
  readonly text: string;
  readonly named: ReadonlySet<string>;
  /** Whether the platform serves none of its fields: it is there only to be extended. */
  readonly isEmpty: boolean;
}

const roots = ['requiresScopes', 'Query', 'Mutation'];

/**
 * The text of the built-in schema without the fields that neither `data` nor a resolver serves, and without the types that nothing names
 * then. The rest stays word for word.
 *
 * @throws GraphQLError if `typeDefs` is not SDL
 */
export function servedSchema({ data = {}, typeDefs = '', resolvers = {} }: ServedParts): string {
  const isServed = (type: string, field: string): boolean =>
    !isDataMethod(field) || serves(data, field) || Object.hasOwn(resolvers[type] ?? {}, field);
  const parts = new Map<string, Part>();
  for (const node of parse(memberSchema).definitions) {
    const part = node.kind === Kind.OBJECT_TYPE_DEFINITION ? servedType(node, isServed) : partOf(node);
    if ('name' in node && node.name) parts.set(node.name.value, part);
  }
  const kept = new Set<string>();
  const keep = (name: string): void => {
    const part = kept.has(name) ? undefined : parts.get(name);
    if (!part) return;
    kept.add(name);
    part.named.forEach(keep);
  };
  const added = typeDefs.trim() === '' ? [] : parse(typeDefs).definitions;
  roots.filter((name) => parts.get(name)?.isEmpty === false).forEach(keep);
  added.flatMap((node) => [...namedIn(node)]).forEach(keep);
  const texts = [...parts].flatMap(([name, { text }]) => (kept.has(name) ? text : []));
  return `${texts.join('\n\n')}\n`;
}

function servedType(node: ObjectTypeDefinitionNode, isServed: (type: string, field: string) => boolean): Part {
  const type = node.name.value;
  const isHere = ({ name }: FieldDefinitionNode): boolean => isServed(type, name.value);
  const fields = node.fields?.filter(isHere) ?? [];
  const missing = node.fields?.filter((field) => !isHere(field)) ?? [];
  const isEmpty = fields.length === 0;
  const text = missing.reduce((left, field) => left.replace(`  ${sourceOf(field)}\n`, ''), sourceOf(node));
  return { text: isEmpty ? `type ${type}` : text, named: namedIn({ ...node, fields }), isEmpty };
}

function partOf(node: DefinitionNode): Part {
  return { text: sourceOf(node), named: namedIn(node), isEmpty: false };
}

function sourceOf({ loc }: Pick<DefinitionNode, 'loc'>): string {
  return memberSchema.slice(loc?.start, loc?.end);
}

/** The types that a definition names or extends. */
function namedIn(node: DefinitionNode): ReadonlySet<string> {
  const names = new Set<string>(isTypeExtensionNode(node) ? [node.name.value] : []);
  visit(node, { NamedType: ({ name }) => void names.add(name.value) });
  return names;
}
