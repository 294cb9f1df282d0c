import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Member } from 'campus-oidc';
import type { Context } from 'koa';
import { hashPassword, verifyPassword } from '../school-platform/passwords.ts';
import { pool } from './store.ts';

const cookie = 'school_session';
const digest = (id: string): string => createHash('sha256').update(id).digest('base64url');

/** Creates the platform's tables, with Olivia, who owns the school. */
export async function createTables(): Promise<void> {
  await pool.query(readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
  const values = ['olivia', 'olivia@example.com', 'Olivia Marsh', ['owner'], await hashPassword('demo')];
  await pool.query('INSERT INTO people VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING', values);
}

export async function findMember(memberId: string): Promise<Member | undefined> {
  const { rows } = await pool.query<Member>('SELECT id, name, email, roles FROM people WHERE id = $1', [memberId]);
  return rows[0];
}

/** Who is signed in. A session is in the database, so that every process knows it. */
export async function signedInMember(ctx: Context): Promise<{ memberId: string; authTime: number } | undefined> {
  const id = ctx.cookies.get(cookie);
  if (id === undefined) return undefined;
  const { rows } = await pool.query<{ memberId: string; authTime: number }>(
    `SELECT person_id AS "memberId", floor(extract(epoch FROM started_at))::int AS "authTime" FROM sessions
     WHERE id_hash = $1 AND started_at > now() - interval '12 hours'`,
    [digest(id)],
  );
  return rows[0];
}

/** Starts a session, with a new id; false for a wrong password. */
export async function signIn(ctx: Context, email: string, password: string): Promise<boolean> {
  const { rows } = await pool.query<{ id: string; password: string }>(
    'SELECT id, password FROM people WHERE email = $1',
    [email],
  );
  if (!(await verifyPassword(password, rows[0]?.password))) return false;
  const id = randomBytes(32).toString('base64url');
  await pool.query('INSERT INTO sessions (id_hash, person_id) VALUES ($1, $2)', [digest(id), rows[0]?.id]);
  // Koa makes it `Secure`, because the proxy says that the request came over https.
  ctx.cookies.set(cookie, id, { httpOnly: true, sameSite: 'lax', overwrite: true });
  return true;
}
