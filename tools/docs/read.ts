// Prints what TypeDoc reads of the declarations in dist, as its JSON: `node tools/docs/read.ts`.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import {
  Application,
  type Context,
  Converter,
  type DeclarationReflection,
  IntrinsicType,
  LiteralType,
  normalizePath,
  type ParameterReflection,
  ReflectionKind,
  type SignatureReflection,
  UnionType,
} from 'typedoc';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

const app = await Application.bootstrap({
  entryPoints: globSync('dist/**/*.d.ts', { cwd: root }).map((file) => join(root, file)),
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  basePath: root,
  disableGit: true,
  sourceLinkTemplate: '{path}',
  readme: 'none',
  skipErrorChecking: true,
  sort: [],
  jsDocCompatibility: false,
  preservedTypeAnnotationTags: ['@default'],
  logLevel: 'Warn',
});

/** The words of aliases that are computed, such as `keyof typeof table`: they say more than the expression, and name no table. */
const computed = new Map<DeclarationReflection, string[]>();

app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
  const symbol = context.getSymbolFromReflection(reflection);
  if (reflection.kind === ReflectionKind.TypeAlias) {
    const words = symbol ? computedWords(context, symbol) : [];
    if (words.length > 0) computed.set(reflection, words);
  } else if (reflection.kind === ReflectionKind.Property) {
    const declaration = symbol?.declarations?.find(ts.isPropertySignature);
    if (!declaration?.type) return;
    if (isReadable(context, declaration)) write(context, reflection, declaration.type);
    else if (isUndefinable(declaration.type)) addUndefined(reflection);
  }
});
app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature, declaration) => {
  if (!declaration || ts.isJSDocSignature(declaration) || !isReadable(context, declaration)) return;
  write(context, signature, declaration.type);
  const inside = context.withScope(signature);
  signature.parameters?.forEach((each, i) => write(inside, each, declaration.parameters[i]?.type));
});
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, () => {
  for (const [alias, words] of computed) alias.type = new UnionType(words.map((word) => new LiteralType(word)));
});

const project = await app.convert();
if (!project || app.logger.hasErrors()) process.exit(1);
process.stdout.write(JSON.stringify(app.serializer.projectToObject(project, normalizePath(root))));

function computedWords({ checker }: Context, symbol: ts.Symbol): string[] {
  const declaration = symbol.declarations?.find(ts.isTypeAliasDeclaration);
  if (!declaration || declaration.typeParameters || isWords(declaration.type)) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const members = type.isUnion() ? type.types : [type];
  return members.every((each) => each.isStringLiteral()) ? members.map(({ value }) => value).sort() : [];
}

/** Whether a type is written as words, or by the names of such types. */
function isWords(node: ts.TypeNode): boolean {
  if (ts.isUnionTypeNode(node)) return node.types.every(isWords);
  return ts.isLiteralTypeNode(node) || (ts.isTypeReferenceNode(node) && node.typeArguments === undefined);
}

/** Whether what is written means the same here. A member that comes from another type may name parameters of that type. */
function isReadable(context: Context, { parent }: ts.Node): boolean {
  if (ts.isSourceFile(parent)) return true;
  if (!ts.isInterfaceDeclaration(parent) && !ts.isClassDeclaration(parent)) return false;
  const { scope } = context;
  const here = scope.kindOf(ReflectionKind.ClassOrInterface) ? scope : scope.parent;
  const symbol = here && context.getSymbolFromReflection(here);
  return !parent.typeParameters || symbol?.declarations?.includes(parent) === true;
}

function isUndefinable(node: ts.TypeNode): boolean {
  return ts.isUnionTypeNode(node) && node.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
}

/** TypeDoc leaves it out of the type of an optional member. */
function addUndefined(reflection: DeclarationReflection): void {
  const { type } = reflection;
  if (!type || !reflection.flags.isOptional) return;
  const types = type.type === 'union' ? type.types : [type];
  reflection.type = new UnionType([...types, new IntrinsicType('undefined')]);
}

/** The type as it is written: the compiler forgets the names of some aliases. */
function write(
  context: Context,
  reflection: DeclarationReflection | SignatureReflection | ParameterReflection,
  node: ts.TypeNode | undefined,
): void {
  if (!node) return;
  context.project.removeTypeReflections(reflection.type);
  const inside = context.withScope(reflection);
  inside.convertingTypeNode = true;
  reflection.type = context.converter.convertType(inside, node);
}
