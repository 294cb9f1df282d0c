-- The platform's own tables. Everything here can be repeated.
CREATE TABLE IF NOT EXISTS people (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text NOT NULL,
  roles text[] NOT NULL,
  password text NOT NULL -- salt.key of scrypt, both base64url
);

CREATE TABLE IF NOT EXISTS sessions (
  id_hash text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people ON DELETE CASCADE,
  started_at timestamptz NOT NULL DEFAULT now()
);
