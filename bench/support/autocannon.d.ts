declare module 'autocannon' {
  /** What the benchmark uses of autocannon. */
  interface Options {
    readonly url: string;
    readonly method: 'POST';
    readonly connections: number;
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
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
