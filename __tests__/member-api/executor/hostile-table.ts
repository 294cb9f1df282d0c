/** Runs every row, and prints which left a rejection unhandled, hung, or rejected. A program, since a test runner takes such events. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql';
import { executorOf } from '../../../lib/member/executor/execute.ts';
import { Operation } from '../../../lib/member/request/operation.ts';
import { inTurns } from './behaviours.ts';
import { withoutEnd } from './lifetime.ts';
import { type Row, rows, typeDefs } from './hostile-rows.ts';

type Context = Pick<Row, 'resolvers'>;

/** Only the named fields and types get resolvers, which are those of the context. */
function schemaWith(places: readonly string[]): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  for (const place of places) {
    const [typeName = '', name = ''] = place.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    const call = (source: unknown, { resolvers }: Context, info: GraphQLResolveInfo) =>
      resolvers[place]?.(source, info);
    if (field) field.resolve = (source, _args, context, info) => call(source, context, info);
    else Object.assign(Object(type), { [name]: call });
  }
  return schema;
}

const schemas = new Map<string, GraphQLSchema>();
function schemaOf({ resolvers }: Row): GraphQLSchema {
  const places = Object.keys(resolvers);
  const known = schemas.get(places.join()) ?? schemaWith(places);
  schemas.set(places.join(), known);
  return known;
}

const current = new AsyncLocalStorage<Row>();
const found: Record<'unhandled' | 'hung' | 'rejected', string[]> = { unhandled: [], hung: [], rejected: [] };
process.on('unhandledRejection', () => found.unhandled.push(current.getStore()?.name ?? 'an unknown row'));

async function run(row: Row): Promise<void> {
  const document: DocumentNode = parse(row.query);
  const operation = Operation.of(document, { query: '', operationName: undefined, variables: {} });
  if (!operation) throw new Error(`no operation in ${row.query}`);
  const { definition } = operation;
  const execute = executorOf(schemaOf(row), document, 100);
  const variables = row.query.includes('$i') ? { i: null } : {};
  const hung = Symbol('hung');
  try {
    const outcome = (async () => execute(definition, variables, { resolvers: row.resolvers }, withoutEnd))();
    if ((await Promise.race([outcome, inTurns(500, () => hung)])) === hung) found.hung.push(row.name);
  } catch {
    found.rejected.push(row.name);
  }
  // The latest rejections come after the response.
  await inTurns(60, () => undefined);
}

const all = rows();
for (let i = 0; i < all.length; i += 1000) {
  await Promise.all(all.slice(i, i + 1000).map((row) => current.run(row, () => run(row))));
}
console.log(JSON.stringify({ rows: all.length, ...found }));
