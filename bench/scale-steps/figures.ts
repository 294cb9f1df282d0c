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
    measured: '24 and 25 November 2026, two shared cores, known schools: docs/scale.md',
    serverCpu: { verify: 238, refresh: 1012, signIn: 9276 },
    databaseCpu: { verify: 43, refresh: 254, signIn: 1776 },
    logBytes: { verify: 0, refresh: 1609, signIn: 5459 },
    bytes: 1635,
    replayBytes: 504,
    graceSeconds: 30,
  },
  postgres: {
    measured: '24 and 25 November 2026, two shared cores, known schools: docs/scale.md',
    serverCpu: { verify: 390, refresh: 1353, signIn: 13_026 },
    databaseCpu: { verify: 100, refresh: 1017, signIn: 5250 },
    logBytes: { verify: 11, refresh: 4997, signIn: 6552 },
    syncs: { verify: 0.02, refresh: 0.31, signIn: 7.45 },
    bytes: 2384,
    replayBytes: 504,
    graceSeconds: 30,
  },
};
