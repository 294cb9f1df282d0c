import { type ASTVisitor, GraphQLError, Kind, type ValidationRule } from 'graphql';
import type { MemberApiLimits } from '../contracts/member-api.ts';
import { isPageSize, pageArgument, pageSizeProblem } from './connection.ts';
import { fragmentCycle, measure, type Measures } from './measures.ts';

const words: Readonly<Record<keyof Measures, (count: number) => string>> = {
  depth: (count) => `is ${count} levels deep`,
  fields: (count) => `has ${count} fields`,
  aliases: (count) => `has ${count} aliases`,
  directives: (count) => `has ${count} directives`,
};

/** An operation that is more than the limit allows; refused with 400 whatever the caller accepts. */
export function overLimit(what: string, limit: keyof MemberApiLimits, most: number): GraphQLError {
  return new GraphQLError(`this operation ${what}; the limit is ${most}`, {
    extensions: { code: 'LIMIT_EXCEEDED', limit, http: { status: 400, spec: false } },
  });
}

/** One validation rule for each limit that a document alone can break, and for what would make counting endless. */
export function limitRules(limits: MemberApiLimits): ValidationRule[] {
  const names = ['depth', 'fields', 'aliases', 'directives'] as const;
  return [fragmentCycleRule, ...names.map((name) => limitRule(name, limits[name])), pageSizeRule];
}

function limitRule(name: keyof Measures, most: number): ValidationRule {
  return (context): ASTVisitor => ({
    OperationDefinition: (operation) => {
      const count = measure(context.getDocument(), operation)[name];
      if (count > most) context.reportError(overLimit(words[name](count), name, most));
      return false;
    },
  });
}

/** Fragments that spread each other have no end. */
function fragmentCycleRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    Document: (document) => {
      const cycle = fragmentCycle(document);
      if (!cycle) return;
      const message = `the fragment ${cycle[0]} spreads itself: ${cycle.join(' → ')}`;
      context.reportError(
        new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED', http: { status: 400, spec: false } } }),
      );
    },
  };
}

/** Page sizes that stand in the text; those in variables are seen when the cost is worked out. */
function pageSizeRule(context: Parameters<ValidationRule>[0]): ASTVisitor {
  return {
    Argument: (argument) => {
      const { name, value } = argument;
      if (name.value !== pageArgument || value.kind !== Kind.INT) return;
      const size = Number(value.value);
      if (!isPageSize(size)) context.reportError(pageSizeProblem(size, argument));
    },
  };
}
