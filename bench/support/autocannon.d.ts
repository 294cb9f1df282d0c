declare module 'autocannon' {
  /** What the benchmarks use of autocannon. */
  interface Request {
    readonly method?: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called before each request. */
    readonly setupRequest?: (request: Request) => Request;
    readonly onResponse?: (status: number, body: string, context: object) => void;
  }
  interface Options extends Request {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration?: number;
    /** Requests, instead of seconds. */
    readonly amount?: number;
    readonly requests?: readonly Request[];
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
