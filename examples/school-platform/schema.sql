CREATE TABLE schools (
  id TEXT PRIMARY KEY,
  origin TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  accent TEXT NOT NULL,
  connections_enabled INTEGER NOT NULL
) STRICT;

CREATE TABLE people (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  email_verified INTEGER NOT NULL,
  picture TEXT,
  password_hash TEXT NOT NULL
) STRICT;

-- rank 1 is the highest privilege
CREATE TABLE roles (
  name TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  rank INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TABLE memberships (
  school_id TEXT NOT NULL REFERENCES schools (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  role TEXT NOT NULL REFERENCES roles (name),
  PRIMARY KEY (school_id, person_id, role)
) STRICT;

-- id_hash: SHA-256 of the cookie's value, so that a leaked table cannot be used to sign in
CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  auth_time INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE courses (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  UNIQUE (school_id, slug)
) STRICT;

CREATE TABLE lectures (
  id TEXT PRIMARY KEY,
  course_id TEXT NOT NULL REFERENCES courses (id),
  title TEXT NOT NULL,
  duration_seconds INTEGER NOT NULL
) STRICT;

CREATE TABLE enrollments (
  person_id TEXT NOT NULL REFERENCES people (id),
  course_id TEXT NOT NULL REFERENCES courses (id),
  enrolled_at TEXT NOT NULL,
  expire_date TEXT,
  last_lecture_id TEXT REFERENCES lectures (id),
  last_position_seconds INTEGER,
  PRIMARY KEY (person_id, course_id)
) STRICT;

-- The ids of classes are stored in connections, and apps read them: they say nothing, and are never given again.
CREATE TABLE classes (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  name TEXT NOT NULL,
  term TEXT NOT NULL
) STRICT;

CREATE TABLE class_teachers (
  class_id TEXT NOT NULL REFERENCES classes (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  PRIMARY KEY (class_id, person_id)
) STRICT;

CREATE TABLE class_students (
  class_id TEXT NOT NULL REFERENCES classes (id),
  name TEXT NOT NULL,
  PRIMARY KEY (class_id, name)
) STRICT;

CREATE TABLE digital_products (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  UNIQUE (school_id, slug)
) STRICT;

CREATE TABLE digital_product_purchases (
  person_id TEXT NOT NULL REFERENCES people (id),
  product_id TEXT NOT NULL REFERENCES digital_products (id),
  purchased_at TEXT NOT NULL,
  PRIMARY KEY (person_id, product_id)
) STRICT;

CREATE TABLE consulting_services (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  minutes INTEGER NOT NULL,
  UNIQUE (school_id, slug)
) STRICT;

CREATE TABLE consulting_purchases (
  person_id TEXT NOT NULL REFERENCES people (id),
  service_id TEXT NOT NULL REFERENCES consulting_services (id),
  purchased_at TEXT NOT NULL,
  scheduled_for TEXT,
  PRIMARY KEY (person_id, service_id)
) STRICT;

CREATE TABLE events (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  slug TEXT NOT NULL,
  title TEXT NOT NULL,
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  place TEXT,
  UNIQUE (school_id, slug)
) STRICT;

CREATE TABLE event_registrations (
  person_id TEXT NOT NULL REFERENCES people (id),
  event_id TEXT NOT NULL REFERENCES events (id),
  registered_at TEXT NOT NULL,
  PRIMARY KEY (person_id, event_id)
) STRICT;

CREATE TABLE notifications (
  id TEXT PRIMARY KEY,
  school_id TEXT NOT NULL REFERENCES schools (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  url TEXT,
  created_at TEXT NOT NULL,
  read_at TEXT
) STRICT;

CREATE INDEX notifications_inbox ON notifications (school_id, person_id, created_at);

CREATE TABLE notification_subscriptions (
  school_id TEXT NOT NULL REFERENCES schools (id),
  person_id TEXT NOT NULL REFERENCES people (id),
  topic TEXT NOT NULL,
  by_email INTEGER NOT NULL,
  in_app INTEGER NOT NULL,
  PRIMARY KEY (school_id, person_id, topic)
) STRICT;
