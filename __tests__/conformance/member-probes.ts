import assert from 'node:assert/strict';
import { connect, memberApp } from '../helpers/flow.ts';
import { testData } from '../member-api/data.ts';
import { post } from '../member-api/graphql.ts';
import { text } from './probes.ts';
import type { CheckContext, RowSchools } from './row.ts';

/** Schools with the option `data` of `memberApi({ data })`. */
export function withData({ start }: CheckContext): Promise<RowSchools> {
  return start({ memberApi: { data: testData().data } });
}

/** A person's token at Harbour School with these scopes. */
export async function viewerToken(
  context: CheckContext,
  scope: string = memberApp.scope,
  person = 'sam',
): Promise<RowSchools & { readonly token: string }> {
  const schools = await withData(context);
  const { body } = await connect(schools.browser(person), schools.harbour, memberApp, { scope });
  return { ...schools, token: text(body['access_token']) };
}

/** Queries a selection of the viewer's fields. */
export async function viewerOf(origin: string, token: string, selection: string): Promise<unknown> {
  const { status, body } = await post(origin, token, { query: `{ viewer ${selection} }` });
  assert.deepEqual([status, body.errors], [200, undefined]);
  return Object(body.data).viewer;
}
