import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Queries, Session } from './queries.ts';

const cookie = 'school_session';
const lifetime = 12 * 60 * 60;

/** The platform's own sessions, one per school: a random id in a cookie, the rest in the database. */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(queries: Queries) {
  return {
    current(ctx: Context, schoolId: string): Session | undefined {
      const id = ctx.cookies.get(cookie);
      return id === undefined ? undefined : queries.session(hash(id), schoolId, now());
    },

    /** Always creates a new id, which prevents session fixation. */
    start(ctx: Context, schoolId: string, personId: string): void {
      this.end(ctx);
      const id = randomBytes(32).toString('base64url');
      const authTime = now();
      queries.removeExpiredSessions(authTime);
      queries.addSession({ idHash: hash(id), schoolId, personId, authTime, expiresAt: authTime + lifetime });
      ctx.cookies.set(cookie, id, { httpOnly: true, sameSite: 'lax', maxAge: lifetime * 1000, overwrite: true });
    },

    end(ctx: Context): void {
      const id = ctx.cookies.get(cookie);
      if (id !== undefined) queries.removeSession(hash(id));
      ctx.cookies.set(cookie, null, { httpOnly: true, sameSite: 'lax', overwrite: true });
    },
  };
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
