INSERT INTO roles (name, title, rank) VALUES
  ('owner', 'Owner', 1), ('admin', 'Administrator', 2), ('teacher', 'Teacher', 3), ('student', 'Student', 4);

-- Nora has an account on the platform, but no role at any school.
INSERT INTO memberships (school_id, person_id, role) VALUES
  ('harbour', 'person-olivia', 'owner'),
  ('harbour', 'person-sam', 'student'),
  ('harbour', 'person-tess', 'teacher'),
  ('summit', 'person-sam', 'student'),
  ('summit', 'person-tess', 'teacher');

INSERT INTO courses (id, school_id, slug, title) VALUES
  ('course-knots', 'harbour', 'knots-and-splices', 'Knots and Splices'),
  ('course-charts', 'harbour', 'reading-charts', 'Reading Charts'),
  ('course-weather', 'harbour', 'weather-at-sea', 'Weather at Sea'),
  ('course-avalanche', 'summit', 'avalanche-basics', 'Avalanche Basics');

INSERT INTO lectures (id, course_id, title, duration_seconds) VALUES
  ('lecture-knots-1', 'course-knots', 'Four knots that do most of the work', 840),
  ('lecture-knots-2', 'course-knots', 'The eye splice', 1260),
  ('lecture-charts-1', 'course-charts', 'What a chart shows', 960),
  ('lecture-charts-2', 'course-charts', 'Plotting a course', 1500),
  ('lecture-weather-1', 'course-weather', 'Fronts', 1100),
  ('lecture-avalanche-1', 'course-avalanche', 'Reading the slope', 1320);

-- Without expire_date, access is for life.
INSERT INTO enrollments
  (person_id, course_id, enrolled_at, expire_date, last_lecture_id, last_position_seconds) VALUES
  ('person-sam', 'course-knots', '2026-02-03T09:00:00Z', NULL, 'lecture-knots-2', 415),
  ('person-sam', 'course-charts', '2026-03-10T18:30:00Z', '2031-03-10', 'lecture-charts-1', 90),
  ('person-sam', 'course-avalanche', '2026-04-21T07:45:00Z', '2031-12-31', NULL, NULL);

-- Tess teaches three of the classes at Harbour School.
INSERT INTO classes (id, school_id, name, term) VALUES
  ('cls-h4k2', 'harbour', 'Class 7a', 'Autumn'),
  ('cls-p9w3', 'harbour', 'Class 7b', 'Autumn'),
  ('cls-t6m8', 'harbour', 'Class 7c', 'Autumn'),
  ('cls-b2x5', 'harbour', 'Class 8a', 'Autumn'),
  ('cls-r7d1', 'harbour', 'Sailing, evenings', 'All year'),
  ('cls-n3v6', 'summit', 'Snow group', 'Winter');

INSERT INTO class_teachers (class_id, person_id) VALUES
  ('cls-p9w3', 'person-tess'),
  ('cls-t6m8', 'person-tess'),
  ('cls-r7d1', 'person-tess'),
  ('cls-n3v6', 'person-tess');

INSERT INTO class_students (class_id, name) VALUES
  ('cls-h4k2', 'Ada Finch'), ('cls-h4k2', 'Ben Okoro'),
  ('cls-p9w3', 'Carla Reyes'), ('cls-p9w3', 'Dev Shah'), ('cls-p9w3', 'Ella Novak'),
  ('cls-t6m8', 'Finn Berg'), ('cls-t6m8', 'Grace Lim'),
  ('cls-b2x5', 'Hugo Marin'),
  ('cls-r7d1', 'Sam Rivera'), ('cls-r7d1', 'Carla Reyes'),
  ('cls-n3v6', 'Sam Rivera');

INSERT INTO digital_products (id, school_id, slug, title) VALUES
  ('product-tides', 'harbour', 'tide-tables', 'Tide Tables, Printable'),
  ('product-packing', 'summit', 'packing-list', 'Winter Packing List');

INSERT INTO digital_product_purchases (person_id, product_id, purchased_at) VALUES
  ('person-sam', 'product-tides', '2026-03-12T12:00:00Z');

INSERT INTO consulting_services (id, school_id, slug, title, minutes) VALUES
  ('service-passage', 'harbour', 'passage-planning', 'Passage Planning, One to One', 60);

INSERT INTO consulting_purchases (person_id, service_id, purchased_at, scheduled_for) VALUES
  ('person-sam', 'service-passage', '2026-04-02T08:15:00Z', '2030-05-04T16:00:00Z');

INSERT INTO events (id, school_id, slug, title, starts_at, ends_at, place) VALUES
  ('event-open-day', 'harbour', 'open-day', 'Open Day at the Harbour', '2030-06-01T10:00:00Z', '2030-06-01T16:00:00Z', 'Pier 4'),
  ('event-night-hike', 'summit', 'night-hike', 'Night Hike', '2030-09-13T20:00:00Z', '2030-09-14T02:00:00Z', 'North Hut');

INSERT INTO event_registrations (person_id, event_id, registered_at) VALUES
  ('person-sam', 'event-open-day', '2026-04-05T19:20:00Z');

INSERT INTO notifications (id, school_id, person_id, title, body, url, created_at, read_at) VALUES
  ('notification-1', 'harbour', 'person-sam', 'Welcome to Harbour School', 'Your first course is waiting.', NULL, '2026-02-03T09:00:05Z', '2026-02-03T09:04:00Z'),
  ('notification-2', 'harbour', 'person-sam', 'New lecture in Knots and Splices', 'The eye splice is online.', 'https://harbour.example/courses/knots-and-splices', '2026-03-01T07:00:00Z', NULL),
  ('notification-3', 'harbour', 'person-sam', 'Open Day: you are registered', 'We meet at Pier 4 at ten.', 'https://harbour.example/events/open-day', '2026-04-05T19:20:03Z', NULL);

INSERT INTO notification_subscriptions (school_id, person_id, topic, by_email, in_app) VALUES
  ('harbour', 'person-sam', 'course_updates', 1, 1),
  ('harbour', 'person-sam', 'event_reminders', 1, 1),
  ('harbour', 'person-sam', 'school_news', 0, 1),
  ('summit', 'person-sam', 'course_updates', 0, 1),
  ('summit', 'person-tess', 'school_news', 1, 1),
  ('harbour', 'person-olivia', 'school_news', 1, 1);
