// Prints the tables that files read by names that are not written there, as JSON: `node tools/docs/reads-by-name.ts FILE…`.
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const paths = process.argv.slice(2);

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const program = ts.createProgram(paths, options);
const checker = program.getTypeChecker();

const reads = paths.flatMap((path) => {
  const source = program.getSourceFile(path);
  if (!source) throw new Error(`${path} was not read`);
  return [...nodesIn(source)].flatMap((node) => {
    const table = tableRead(node)?.getText(source);
    return table === undefined ? [] : [{ file: path, table }];
  });
});
process.stdout.write(JSON.stringify(reads));

function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesIn(child);
}

/** The table of `table[name]` and of `name in table`. */
function tableRead(node: ts.Node): ts.Expression | undefined {
  if (ts.isElementAccessExpression(node) && !isWritten(node)) {
    return isAnyText(node.argumentExpression) && isTable(node.expression) ? node.expression : undefined;
  }
  const isQuestion = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword;
  return isQuestion && isAnyText(node.left) ? node.right : undefined;
}

function isWritten(node: ts.ElementAccessExpression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** Not one of some words. */
function isAnyText(name: ts.Expression): boolean {
  const type = checker.getTypeAtLocation(name);
  return constituents(type).some(({ flags }) => (flags & ts.TypeFlags.String) !== 0);
}

/** Whether it has the same type of row for any name. Rows of which nothing is known are checked before they are used. */
function isTable(expression: ts.Expression): boolean {
  return constituents(checker.getTypeAtLocation(expression)).some((type) => {
    const row = checker.getIndexTypeOfType(checker.getApparentType(type), ts.IndexKind.String);
    return row !== undefined && (row.flags & ts.TypeFlags.Unknown) === 0;
  });
}

function constituents(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}
