import {
  connect,
  type JsonResponse,
  memberApp,
  refresh,
  type TestClient,
  userinfo,
  webMemberApp,
} from '../../helpers/flow.ts';
import type { Schools } from '../../helpers/schools.ts';

/** What a load measured. */
export interface LoadReport {
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses that were neither 200 nor 503. */
  readonly wrong: readonly string[];
  /** Milliseconds of the slowest response. */
  readonly slowest: number;
  /** Milliseconds from the first 503 to the last. */
  readonly outage: number;
}

/** Connected applications that refresh and use their tokens in a loop. */
export interface Load {
  /** Waits until every application has this many more successful responses. */
  successes(count: number): Promise<void>;
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

  constructor(origin: string, client: TestClient, tokens: JsonResponse) {
    this.#origin = origin;
    this.#client = client;
    this.#tokens = tokens;
  }

  /** One refresh and one use of the token. A refresh that failed with 503 is repeated with the same token. */
  async step(seen: (response: JsonResponse, milliseconds: number) => void): Promise<void> {
    const timed = async (ask: () => Promise<JsonResponse>): Promise<JsonResponse> => {
      const start = performance.now();
      const response = await ask();
      seen(response, performance.now() - start);
      if (response.status === 200) this.successes += 1;
      return response;
    };
    const next = await timed(() => refresh(this.#origin, this.#client, this.#tokens.body['refresh_token']));
    if (next.status === 200) this.#tokens = next;
    await timed(() => userinfo(this.#origin, this.#tokens.body['access_token']));
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
  const faults: number[] = [];
  let slowest = 0;
  const state = { running: true };
  const seen = ({ status, body }: JsonResponse, milliseconds: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    slowest = Math.max(slowest, milliseconds);
    if (status === 503) faults.push(performance.now());
    else if (status !== 200) wrong.push(`${status} ${JSON.stringify(body)}`);
  };
  const loops = applications.map(async (application) => {
    while (state.running) await application.step(seen);
  });
  return {
    successes: async (count) => {
      const before = applications.map(({ successes }) => successes);
      const end = performance.now() + 20_000;
      while (!applications.every(({ successes }, i) => successes >= (before[i] ?? 0) + count)) {
        if (performance.now() > end) throw new Error(`no recovery: ${JSON.stringify(statuses)} ${wrong[0] ?? ''}`);
        await new Promise((resume) => setTimeout(resume, 10));
      }
    },
    stop: async () => {
      state.running = false;
      await Promise.all(loops);
      const outage = (faults.at(-1) ?? 0) - (faults[0] ?? 0);
      return { statuses, wrong, slowest: Math.round(slowest), outage: Math.round(outage) };
    },
    lost: async () => (await Promise.all(applications.map((application) => application.lost()))).flat(),
  };
}
