import { type JSONOutput, ReflectionKind } from '../../tools/docs/json.ts';
import { commentsOf } from './comment-text.ts';

type Reflection = JSONOutput.DeclarationReflection;
type SomeType = JSONOutput.SomeType;

export interface TextOptions {
  /** Is asked for each name in a type: how that is called here. */
  readonly nameOf: (reference: JSONOutput.ReferenceType) => string;
  /** Whether a type that others extend is shown by its name. Otherwise they have its members as their own. */
  readonly isShown: (base: JSONOutput.ReferenceType) => boolean;
  /** Whether members have their TSDoc. */
  readonly comments: boolean;
}

/** A declaration as TypeScript, which is not formatted: there are parentheses wherever some may be needed. */
export function declarationText(declared: Reflection, { nameOf, isShown, comments }: TextOptions): string {
  const { name, kind, type, signatures = [] } = declared;
  const parameters = typeParameters(declared.typeParameters);
  if (kind === ReflectionKind.Function)
    return signatures.map((each) => `declare function ${name}${signature(each)};`).join('\n');
  if (kind === ReflectionKind.Variable) return `declare const ${name}: ${typeText(type)};`;
  if (kind === ReflectionKind.Class || kind === ReflectionKind.Interface) {
    const bases = (declared.extendedTypes ?? []).filter((base) => base.type === 'reference' && isShown(base));
    const extending = bases.length > 0 ? `extends ${bases.map(typeText).join(', ')}` : '';
    const word = kind === ReflectionKind.Class ? 'declare class' : 'interface';
    return `${word} ${name}${parameters} ${extending} ${body(declared, bases)}`;
  }
  return `type ${name}${parameters} = ${type ? typeText(type) : body(declared)};`;

  /** In braces, a line each: its own members, and by name those that it has of bases which are not shown. */
  function body(container: Reflection, shown: readonly SomeType[] = []): string {
    const names = new Set(shown.flatMap((base) => (base.type === 'reference' ? base.name : [])));
    const { children = [] } = container;
    const inherited = children.filter(({ inheritedFrom: from }) => from && !names.has(from.name.split('.')[0] ?? ''));
    const members = [
      ...children.filter(({ inheritedFrom }) => !inheritedFrom),
      ...inherited.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ];
    return `{\n${lines(container, members).join('\n')}\n}`;
  }

  function lines(
    { signatures: calls = [], indexSignatures = [] }: Reflection,
    members: readonly Reflection[],
  ): string[] {
    return [
      ...calls.map((each) => `${signature(each)};`),
      ...indexSignatures.map((each) => `${readonly(each)}[${list(each.parameters)}]: ${typeText(each.type)};`),
      ...members.map((each) => `${comments ? tsDoc(each) : ''}${member(each)}`),
    ];
  }

  function member(each: Reflection): string {
    const called = `${/^[\w$]+$/.test(each.name) ? each.name : literal(each.name)}${each.flags.isOptional ? '?' : ''}`;
    const before = `${each.flags.isStatic ? 'static ' : ''}${readonly(each)}`;
    const calls = each.signatures ?? [];
    if (each.kind === ReflectionKind.Constructor)
      return calls.map((call) => `constructor(${list(call.parameters)});`).join('\n');
    if (each.kind === ReflectionKind.Method)
      return calls.map((call) => `${before}${called}${signature(call)};`).join('\n');
    if (each.kind === ReflectionKind.Accessor) return `get ${called}(): ${typeText(each.getSignature?.type)};`;
    return `${before}${called}: ${typeText(each.type)};`;
  }

  function signature(each: JSONOutput.SignatureReflection, arrow = ':'): string {
    return `${typeParameters(each.typeParameters)}(${list(each.parameters)})${arrow} ${typeText(each.type)}`;
  }

  function list(all: readonly JSONOutput.ParameterReflection[] = []): string {
    return all
      .map(({ name: called, flags, type: given }) => {
        const shown = called === '__namedParameters' ? 'options' : called;
        return `${flags.isRest ? '...' : ''}${shown}${flags.isOptional ? '?' : ''}: ${typeText(given)}`;
      })
      .join(', ');
  }

  function typeParameters(all: readonly JSONOutput.TypeParameterReflection[] = []): string {
    const one = (each: JSONOutput.TypeParameterReflection): string => {
      const words = [each.flags.isConst ? 'const' : '', each.varianceModifier ?? '', each.name];
      const constraint = each.type ? ` extends ${typeText(each.type)}` : '';
      const standard = each.default ? ` = ${typeText(each.default)}` : '';
      return `${words.filter(Boolean).join(' ')}${constraint}${standard}`;
    };
    return all.length > 0 ? `<${all.map(one).join(', ')}>` : '';
  }

  function typeText(given: SomeType | undefined): string {
    if (!given) return 'unknown';
    switch (given.type) {
      case 'intrinsic':
      case 'unknown':
        return given.name;
      case 'literal':
        return literal(given.value);
      case 'reference':
        return `${nameOf(given)}${given.typeArguments ? `<${given.typeArguments.map(typeText).join(', ')}>` : ''}`;
      case 'query':
        return `typeof ${typeText(given.queryType)}`;
      case 'array':
        return `(${typeText(given.elementType)})[]`;
      case 'union':
        return given.types.map((each) => `(${typeText(each)})`).join(' | ');
      case 'intersection':
        return given.types.map((each) => `(${typeText(each)})`).join(' & ');
      case 'tuple':
        return `[${(given.elements ?? []).map(typeText).join(', ')}]`;
      case 'namedTupleMember':
        return `${given.name}${given.isOptional ? '?' : ''}: ${typeText(given.element)}`;
      case 'optional':
        return `(${typeText(given.elementType)})?`;
      case 'rest':
        return `...(${typeText(given.elementType)})`;
      case 'typeOperator':
        return `${given.operator} (${typeText(given.target)})`;
      case 'indexedAccess':
        return `(${typeText(given.objectType)})[${typeText(given.indexType)}]`;
      case 'conditional': {
        const question = `(${typeText(given.checkType)}) extends (${typeText(given.extendsType)})`;
        return `${question} ? (${typeText(given.trueType)}) : (${typeText(given.falseType)})`;
      }
      case 'inferred':
        return `infer ${given.name}${given.constraint ? ` extends ${typeText(given.constraint)}` : ''}`;
      case 'predicate':
        return `${given.asserts ? 'asserts ' : ''}${given.name}${given.targetType ? ` is ${typeText(given.targetType)}` : ''}`;
      case 'templateLiteral':
        return `\`${given.head}${given.tail.map(([inner, text]) => `\${${typeText(inner)}}${text}`).join('')}\``;
      case 'mapped':
        return mapped(given);
      case 'reflection':
      default:
        return objectOrFunction(given.declaration);
    }
  }

  function mapped(given: JSONOutput.MappedType): string {
    const before = { '+': 'readonly ', '-': '-readonly ', '': '' }[given.readonlyModifier ?? ''];
    const after = { '+': '?', '-': '-?', '': '' }[given.optionalModifier ?? ''];
    const key = `${given.parameter} in ${typeText(given.parameterType)}`;
    const renamed = given.nameType ? ` as ${typeText(given.nameType)}` : '';
    return `{ ${before}[${key}${renamed}]${after}: ${typeText(given.templateType)} }`;
  }

  function objectOrFunction(literalType: Reflection): string {
    const { children, signatures: calls = [], indexSignatures } = literalType;
    const [call] = calls;
    if (call && calls.length === 1 && !children && !indexSignatures) return `(${signature(call, ' =>')})`;
    return `{ ${lines(literalType, children ?? []).join(comments ? '\n' : ' ')} }`;
  }
}

function readonly({ flags }: { readonly flags: JSONOutput.ReflectionFlags }): string {
  return flags.isReadonly ? 'readonly ' : '';
}

function literal(value: JSONOutput.LiteralType['value']): string {
  if (typeof value === 'object' && value !== null) return `${value.negative ? '-' : ''}${value.value}n`;
  return JSON.stringify(value);
}

/** The comments above a member. */
function tsDoc(each: Reflection): string {
  return commentsOf(each)
    .map(({ summary, tags }) => {
      const said = tags.map(({ tag, name, text }) => [tag, name, text].filter(Boolean).join(' '));
      const text = [summary, ...said].filter(Boolean).join('\n');
      return text.includes('\n') ? `/**\n * ${text.replaceAll('\n', '\n * ')}\n */\n` : `/** ${text} */\n`;
    })
    .join('');
}
