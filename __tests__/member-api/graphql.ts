import { startSchools, type Schools, type SchoolsOptions } from '../helpers/schools.ts';
import { connect, memberApp, type TestClient } from '../helpers/flow.ts';
import { testData, type TestData } from './data.ts';

/** A response of the Member API. */
export interface GraphqlResult {
  readonly status: number;
  readonly headers: Headers;
  // Tests read what they expect; what is not there fails them.
  readonly body: { readonly data?: unknown; readonly errors?: readonly GraphqlError[]; readonly error?: unknown };
}

/** An error of a result. */
export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The schools with data behind their Member API. */
export interface MemberSchools extends Schools, TestData {}

/** Starts the schools with data; `memberApi.data` wins. */
export async function startMemberSchools(options: SchoolsOptions = {}): Promise<MemberSchools> {
  const test = testData();
  const schools = await startSchools({ ...options, memberApi: { data: test.data, ...options.memberApi } });
  return { ...schools, ...test };
}

/** An access token of a person at a site. */
export async function tokenOf(
  schools: Schools,
  origin: string,
  { person = 'sam', client = memberApp, scope }: { person?: string; client?: TestClient; scope?: string } = {},
): Promise<string> {
  const { body } = await connect(schools.browser(person), origin, client, scope === undefined ? {} : { scope });
  if (typeof body['access_token'] !== 'string') throw new Error(`no token: ${JSON.stringify(body)}`);
  return body['access_token'];
}

/** Sends a request to the Member API; `body` is sent as JSON. */
export async function post(
  origin: string,
  token: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<GraphqlResult> {
  const response = await fetch(`${origin}/member/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** The codes of a result's errors. */
export function codesOf({ body }: GraphqlResult): unknown[] {
  return (body.errors ?? []).map(({ extensions }) => extensions?.['code']);
}
