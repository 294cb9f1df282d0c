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

/** What a load has seen. */
export interface LoadReport {
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers that were neither success nor 503. */
  readonly wrong: readonly string[];
  /** Milliseconds of the slowest answer. */
  readonly slowest: number;
  /** Milliseconds from the first 503 to the last. */
  readonly outage: number;
}

/** Connected applications that refresh and use their tokens as fast as they can. */
export interface Load {
  /** Waits until every application has got this many more answers that are no 503. */
  successes(count: number): Promise<void>;
  /** Stops, and answers what was seen. */
  stop(): Promise<LoadReport>;
  /** Of the last tokens that every application was given, those that do not work. */
  lost(): Promise<string[]>;
}

/** One application of one person at one school. */
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

  /** One refresh and one use; a refresh that could not be answered is tried again with the same token. */
  async step(seen: (answer: JsonResponse, milliseconds: number) => void): Promise<void> {
    const timed = async (ask: () => Promise<JsonResponse>): Promise<JsonResponse> => {
      const start = performance.now();
      const answer = await ask();
      seen(answer, performance.now() - start);
      if (answer.status === 200) this.successes += 1;
      return answer;
    };
    const next = await timed(() => refresh(this.#origin, this.#client, this.#tokens.body['refresh_token']));
    if (next.status === 200) this.#tokens = next;
    await timed(() => userinfo(this.#origin, this.#tokens.body['access_token']));
  }

  async lost(): Promise<string[]> {
    const { body } = this.#tokens;
    const used = await userinfo(this.#origin, body['access_token']);
    const refreshed = await refresh(this.#origin, this.#client, body['refresh_token']);
    return [used, refreshed].flatMap(({ status, body: said }) =>
      status === 200 ? [] : [`${this.#origin} ${status} ${JSON.stringify(said)}`],
    );
  }
}

/** Connects the applications and sets them going. */
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
  const state = { going: true };
  const seen = ({ status, body }: JsonResponse, milliseconds: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    slowest = Math.max(slowest, milliseconds);
    if (status === 503) faults.push(performance.now());
    else if (status !== 200) wrong.push(`${status} ${JSON.stringify(body)}`);
  };
  const loops = applications.map(async (application) => {
    while (state.going) await application.step(seen);
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
      state.going = false;
      await Promise.all(loops);
      const outage = (faults.at(-1) ?? 0) - (faults[0] ?? 0);
      return { statuses, wrong, slowest: Math.round(slowest), outage: Math.round(outage) };
    },
    lost: async () => (await Promise.all(applications.map((application) => application.lost()))).flat(),
  };
}
