import {
  connect,
  type JsonResponse,
  memberApp,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import { until } from '../../helpers/redis.ts';
import type { Schools } from '../../helpers/schools.ts';

/** What a load saw. */
export interface LoadReport {
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses that were neither 200 nor 503. */
  readonly wrong: readonly string[];
}

/** Connected applications that refresh and use their tokens in a loop. */
export interface Load {
  /** Waits until every application has this many more successful responses. */
  successes(count: number): Promise<void>;
  /** Waits until every application has one more 503. */
  faults(): Promise<void>;
  /** Stops, and returns the report. */
  stop(): Promise<LoadReport>;
  /** The last tokens of the applications that do not work. */
  lost(): Promise<string[]>;
}

/** One application that one person connected at one school. */
class Application {
  readonly #origin: string;
  readonly #client: TestClient;
  #tokens: JsonResponse;
  successes = 0;
  faults = 0;

  constructor(origin: string, client: TestClient, tokens: JsonResponse) {
    this.#origin = origin;
    this.#client = client;
    this.#tokens = tokens;
  }

  /** One refresh and one use of the token. A refresh that failed with 503 is repeated with the same token. */
  async step(seen: (response: JsonResponse) => void): Promise<void> {
    const counted = (response: JsonResponse): JsonResponse => {
      seen(response);
      if (response.status === 200) this.successes += 1;
      if (response.status === 503) this.faults += 1;
      return response;
    };
    const next = counted(await refresh(this.#origin, this.#client, this.#tokens.body['refresh_token']));
    if (next.status === 200) this.#tokens = next;
    counted(await userinfo(this.#origin, this.#tokens.body['access_token']));
  }

  async lost(): Promise<string[]> {
    const { body: tokens } = this.#tokens;
    const used = await userinfo(this.#origin, tokens['access_token']);
    const refreshed = await refresh(this.#origin, this.#client, tokens['refresh_token']);
    return [used, refreshed].flatMap(({ status, body }) =>
      status === 200 ? [] : [`${this.#origin} ${status} ${JSON.stringify(body)}`],
    );
  }
}

/** Connects the applications and starts the loops. */
export async function startLoad(schools: Schools, origins: readonly string[], each = 4): Promise<Load> {
  const applications: Application[] = [];
  for (const origin of origins) {
    for (let i = 0; i < each; i += 1) {
      const client = i % 2 === 0 || origin === schools.summit ? webMemberApp : memberApp;
      applications.push(new Application(origin, client, await connect(schools.browser('sam'), origin, client)));
    }
  }
  const statuses: Record<string, number> = {};
  const wrong: string[] = [];
  const state = { running: true };
  const seen = ({ status, body }: JsonResponse): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200 && status !== 503) wrong.push(`${status} ${JSON.stringify(body)}`);
  };
  const loops = applications.map(async (application) => {
    while (state.running) await application.step(seen);
  });
  const more = async (what: 'successes' | 'faults', count: number): Promise<void> => {
    const before = applications.map((application) => application[what]);
    await until(`${count} ${what} of each application`, async () => {
      if (wrong.length > 0) throw new Error(wrong[0]);
      return applications.every((application, i) => application[what] >= (before[i] ?? 0) + count);
    });
  };
  return {
    successes: (count) => more('successes', count),
    faults: () => more('faults', 1),
    stop: async () => {
      state.running = false;
      await Promise.all(loops);
      return { statuses, wrong };
    },
    lost: async () => (await Promise.all(applications.map((application) => application.lost()))).flat(),
  };
}
