/** What one request of each kind takes. */
interface PerRequest {
  readonly verify: number;
  readonly refresh: number;
  readonly signIn: number;
}

/** What was measured of a database and the server process in front of it. */
export interface Figures {
  /** When, where and with which steps. */
  readonly measured: string;
  /** Microseconds of the server process. */
  readonly serverCpu: PerRequest;
  /** Microseconds of all processes of the database. */
  readonly databaseCpu: PerRequest;
  /** Bytes of the append-only file, or of the write-ahead log. */
  readonly logBytes: PerRequest;
  /** Synchronizations with the disk, where each commit waits for one. */
  readonly syncs?: PerRequest;
  /** Of a connection with one access token; in memory, or in tables with their indexes. */
  readonly bytes: number;
  /** Of the stored response of a refresh, and for how long it is kept. */
  readonly replayBytes: number;
  readonly graceSeconds: number;
}

export const measured: Readonly<Record<'redis' | 'postgres', Figures>> = {
  redis: {
    measured: '25 November 2026, two cores, known schools: bench/SCALE.md',
    serverCpu: { verify: 270, refresh: 1093, signIn: 11_378 },
    databaseCpu: { verify: 65, refresh: 262, signIn: 2060 },
    logBytes: { verify: 0, refresh: 1547, signIn: 5275 },
    bytes: 1562,
    replayBytes: 504,
    graceSeconds: 30,
  },
  postgres: {
    measured: '25 November 2026, two cores, known schools: bench/SCALE.md',
    serverCpu: { verify: 394, refresh: 1949, signIn: 13_723 },
    databaseCpu: { verify: 200, refresh: 1015, signIn: 6035 },
    logBytes: { verify: 6, refresh: 1539, signIn: 6739 },
    syncs: { verify: 0, refresh: 0.99, signIn: 7.66 },
    bytes: 2384,
    replayBytes: 504,
    graceSeconds: 30,
  },
};
