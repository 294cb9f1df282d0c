import type { DatabaseSync } from 'node:sqlite';
import type { Member, SchoolRole, Site } from 'campus-oidc';
import { integer, optionalText, type Row, text } from './columns.ts';

/** Everyone here signs in with an address. */
export interface SchoolMember extends Member {
  readonly name: string;
  readonly email: string;
}

interface Credentials {
  readonly id: string;
  readonly passwordHash: string;
}

export interface Session {
  /** The digest of its id, which nobody can guess. */
  readonly idHash: string;
  readonly personId: string;
  /** Seconds since the epoch. */
  readonly authTime: number;
}

interface NewSession extends Session {
  readonly schoolId: string;
  readonly expiresAt: number;
}

export type Queries = ReturnType<typeof createQueries>;

/** Schools, people and sessions. Every statement is prepared once. */
export function createQueries(database: DatabaseSync) {
  const school = database.prepare('SELECT * FROM schools WHERE origin = ?');
  const everySchool = database.prepare('SELECT * FROM schools ORDER BY name');
  const person = database.prepare('SELECT * FROM people WHERE id = ?');
  const everyone = database.prepare('SELECT * FROM people ORDER BY name');
  const credentials = database.prepare('SELECT id, password_hash FROM people WHERE email = ?');
  const roles = database.prepare(
    'SELECT role FROM memberships JOIN roles ON roles.name = role WHERE school_id = ? AND person_id = ? ORDER BY rank',
  );
  const everyRole = database.prepare('SELECT name, title FROM roles ORDER BY rank');
  const session = database.prepare(
    'SELECT person_id, auth_time FROM sessions WHERE id_hash = ? AND school_id = ? AND expires_at > ?',
  );
  const addSession = database.prepare(
    'INSERT INTO sessions (id_hash, school_id, person_id, auth_time, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const removeSession = database.prepare('DELETE FROM sessions WHERE id_hash = ?');
  const removeExpiredSessions = database.prepare('DELETE FROM sessions WHERE expires_at <= ?');

  const toMember = (row: Row, schoolId: string): SchoolMember => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    email: text(row, 'email'),
    emailVerified: integer(row, 'email_verified') === 1,
    picture: optionalText(row, 'picture'),
    roles: roles.all(schoolId, text(row, 'id')).map((membership) => text(membership, 'role')),
  });

  return {
    school(origin: string): Site | undefined {
      const row = school.get(origin);
      return row && toSite(row);
    },
    everySchool(): Site[] {
      return everySchool.all().map(toSite);
    },
    /** With the person's roles at this school, possibly none. */
    member(schoolId: string, personId: string): SchoolMember | undefined {
      const row = person.get(personId);
      return row && toMember(row, schoolId);
    },
    /** The roles of every school, highest privilege first. */
    roles(): SchoolRole[] {
      return everyRole.all().map((row) => ({ role: text(row, 'name'), name: text(row, 'title') }));
    },
    /** Everyone on the platform, with their roles at this school. */
    everyone(schoolId: string): SchoolMember[] {
      return everyone.all().map((row) => toMember(row, schoolId));
    },
    credentials(email: string): Credentials | undefined {
      const row = credentials.get(email);
      return row && { id: text(row, 'id'), passwordHash: text(row, 'password_hash') };
    },
    session(idHash: string, schoolId: string, now: number): Session | undefined {
      const row = session.get(idHash, schoolId, now);
      return row && { idHash, personId: text(row, 'person_id'), authTime: integer(row, 'auth_time') };
    },
    addSession({ idHash, schoolId, personId, authTime, expiresAt }: NewSession): void {
      addSession.run(idHash, schoolId, personId, authTime, expiresAt);
    },
    removeSession(idHash: string): void {
      removeSession.run(idHash);
    },
    removeExpiredSessions(now: number): void {
      removeExpiredSessions.run(now);
    },
  };
}

function toSite(row: Row): Site {
  const origin = text(row, 'origin');
  return {
    id: text(row, 'id'),
    origin,
    name: text(row, 'name'),
    logoUrl: `${origin}/logo.svg`,
    colors: { accent: text(row, 'accent') },
    connectionsEnabled: integer(row, 'connections_enabled') === 1,
  };
}
