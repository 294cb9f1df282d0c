import {
  type DocumentNode,
  type ExecutableDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../execution/operation.ts';

/** The size of an operation or fragment. A fragment counts each time it is spread. */
export interface Measures {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
}

const nothing: Measures = { depth: 0, fields: 0, aliases: 0, directives: 0 };

/** Introspection queries are deep because types are wrapped. graphql has a separate rule for their depth. */
const introspection: ReadonlySet<string> = new Set(['__schema', '__type']);

/**
 * Measures the definitions of a document. Each fragment is measured once, so the work is proportional to the size of the
 * document and not of its expansion. A fragment that spreads itself adds nothing.
 */
export function measure(document: DocumentNode): (definition: ExecutableDefinitionNode) => Measures {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Measures>();
  return ofDefinition;

  function ofDefinition({ directives, selectionSet }: ExecutableDefinitionNode): Measures {
    return add({ ...nothing, directives: directives?.length ?? 0 }, ofSet(selectionSet));
  }

  function ofSet(selectionSet: SelectionSetNode | undefined): Measures {
    return (selectionSet?.selections ?? []).map(ofSelection).reduce(add, nothing);
  }

  function ofSelection(selection: SelectionNode): Measures {
    const { depth, fields, aliases, directives } =
      selection.kind === Kind.FRAGMENT_SPREAD ? ofFragment(selection.name.value) : ofSet(selection.selectionSet);
    const isField = selection.kind === Kind.FIELD;
    return {
      depth: isField && introspection.has(selection.name.value) ? 1 : depth + 1,
      fields: fields + (isField ? 1 : 0),
      aliases: aliases + (isField && selection.alias ? 1 : 0),
      directives: directives + (selection.directives?.length ?? 0),
    };
  }

  function ofFragment(name: string): Measures {
    const measured = known.get(name);
    if (measured) return measured;
    known.set(name, nothing);
    const fragment = fragments.get(name);
    const found = fragment ? ofDefinition(fragment) : nothing;
    known.set(name, found);
    return found;
  }
}

function add(one: Measures, other: Measures): Measures {
  const sum = (name: keyof Measures): number => Math.min(one[name] + other[name], Number.MAX_SAFE_INTEGER);
  const depth = Math.max(one.depth, other.depth);
  return { depth, fields: sum('fields'), aliases: sum('aliases'), directives: sum('directives') };
}

/** A cycle of fragment names, with the same first and last name; `undefined` if there is none. */
export function fragmentCycle(document: DocumentNode): readonly string[] | undefined {
  const fragments = fragmentsOf(document);
  const finished = new Set<string>();
  return firstCycle([...fragments.keys()], []);

  function firstCycle(names: readonly string[], path: readonly string[]): readonly string[] | undefined {
    for (const name of names) {
      if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
      if (finished.has(name)) continue;
      const cycle = firstCycle(spreadsIn(fragments.get(name)?.selectionSet), [...path, name]);
      if (cycle) return cycle;
      finished.add(name);
    }
    return undefined;
  }
}

function spreadsIn(selectionSet: SelectionSetNode | undefined): string[] {
  return (selectionSet?.selections ?? []).flatMap((selection) =>
    selection.kind === Kind.FRAGMENT_SPREAD ? [selection.name.value] : spreadsIn(selection.selectionSet),
  );
}
