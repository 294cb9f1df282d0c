import type { VerifiedToken, Boundary, BoundaryQuery } from '../../../lib/index.ts';
import { defineTool } from '../../../lib/mcp/index.ts';
import type { CampusOptions } from '../../../lib/index.ts';
import type { Browser, Stop } from '../../helpers/browser.ts';
import { testClients, testResourceServers } from '../../helpers/clients.ts';
import { authorizeUrl, type Changes, exchange, type JsonResponse, pkce, type TestClient } from '../../helpers/flow.ts';
import { readPage } from '../../helpers/page.ts';

/** Reports, which may ask for more, and for what is not limited. */
export const limited: TestClient = {
  id: 'reports',
  redirectUri: 'https://reports.example/callback',
  secret: 'reports-secret',
  scope: 'openid courses:read orders:read',
};

const resourceServer = (id: string): TestClient => ({ id, redirectUri: '', secret: `${id}-secret`, scope: '' });

/** Resource servers: one honours classes, one does not. */
export const knowing: TestClient = resourceServer('grades-api');
export const unaware: TestClient = resourceServer('gateway');

/** Classes by person: 1 to 500 of Olivia, whom tests can take some away. */
export class Classes {
  readonly of: Record<string, string[]> = {
    olivia: Array.from({ length: 500 }, (_, i) => `c${i + 1}`),
    sam: ['c1', 's1'],
  };
  readonly asked: BoundaryQuery[] = [];
  /** What is returned in place of the classes. */
  instead: unknown;

  readonly boundary: Boundary = {
    type: 'class',
    name: 'Classes',
    names: { 'zh-Hant': '班級' },
    scopes: ['courses:read', 'courses:write'],
    list: (_site, { id: memberId }, query) => {
      this.asked.push(query);
      if (this.instead instanceof Error) throw this.instead;
      if (this.instead !== undefined) return JSON.parse(JSON.stringify(this.instead));
      const { search = '', ids, offset, limit } = query;
      const own = (this.of[memberId] ?? []).map((id) => ({ id, name: `Class ${id.slice(1)}`, detail: 'Term 1' }));
      const found = own.filter(({ id, name }) => (!ids || ids.includes(id)) && name.includes(search));
      return { items: found.slice(offset, offset + limit), total: found.length };
    },
  };
}

const seen = ({ scopes, only }: VerifiedToken): string => JSON.stringify({ scopes, only: only ?? null });

/** A tool that honours classes, one that does not, and one of another scope. */
export const tools = [
  defineTool({
    name: 'list_courses',
    description: 'Courses.',
    access: { scopes: ['courses:read'], honours: ['class'] },
    run: (_args, { token }) => `${seen(token)} ${JSON.stringify(token.limitTo('class') ?? 'all')}`,
  }),
  defineTool({
    name: 'statistics',
    description: 'Of all courses.',
    access: { scopes: ['courses:read'] },
    run: (_args, { token }) => seen(token),
  }),
  defineTool({
    name: 'list_orders',
    description: 'Orders.',
    access: { scopes: ['orders:read'] },
    run: (_args, { token }) => seen(token),
  }),
];

export function withClasses(classes: Classes): Partial<CampusOptions> {
  return {
    boundaries: [classes.boundary],
    clients: testClients,
    resourceServers: [
      ...testResourceServers,
      { clientId: 'grades-api', clientSecret: 'grades-api-secret', honours: ['class'] },
    ],
  };
}

/** The consent page of a request, and what redeems the code that it ends in. */
export class Asking {
  readonly #browser: Browser;
  readonly #origin: string;
  readonly #client: TestClient;
  readonly #pair = pkce();
  stop: Stop | undefined;

  constructor(browser: Browser, origin: string, client: TestClient = limited) {
    this.#browser = browser;
    this.#origin = origin;
    this.#client = client;
  }

  async open(changes: Changes = {}): Promise<this> {
    const url = authorizeUrl(this.#origin, this.#client, this.#pair, { prompt: 'consent', ...changes });
    this.stop = await this.#browser.follow(url);
    return this;
  }

  /** The page at the address to which an app sends the person. */
  async at(url: URL): Promise<this> {
    this.stop = await this.#browser.follow(url);
    return this;
  }

  get page(): ReturnType<typeof readPage> {
    return readPage(this.html);
  }

  get html(): string {
    return this.stop?.html ?? '';
  }

  /** Presses a button of the form as it is on the page, with fields changed; `undefined` leaves one out. */
  async press(
    button: readonly [name: string, value: string],
    changes: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  ): Promise<this> {
    const form = new URLSearchParams([...this.page.getByRole('form').fields]);
    for (const [name, value] of Object.entries(changes)) {
      form.delete(name);
      for (const each of [value ?? []].flat()) form.append(name, each);
    }
    form.append(...button);
    this.stop = await this.#browser.follow(this.stop?.url ?? '', { method: 'POST', body: form });
    return this;
  }

  allow(changes: Readonly<Record<string, string | readonly string[] | undefined>> = {}): Promise<this> {
    return this.press(['decision', 'allow'], changes);
  }

  limit(ids: readonly string[]): Promise<this> {
    return this.allow({ scope: ['courses:read', 'orders:read'], 'limit.class': 'some', 'only.class': ids });
  }

  /** The token response to the code. */
  tokens(): Promise<JsonResponse> {
    const code = this.stop?.url.searchParams.get('code');
    if (!code) throw new Error(`no code: ${this.stop?.response.status} ${this.html}`);
    return exchange({ origin: this.#origin, client: this.#client, code, verifier: this.#pair.verifier });
  }
}
