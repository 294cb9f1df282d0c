interface DemoPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly picture?: string;
  /** Printed when the demo starts. */
  readonly about: string;
}

/** For everyone. */
export const demoPassword = 'demo';

/** `seed.sql` assigns their roles. */
export const demoPeople: readonly DemoPerson[] = [
  {
    id: 'person-olivia',
    name: 'Olivia Marsh',
    email: 'olivia@example.com',
    picture: 'https://images.example.com/people/olivia.png',
    about: 'owner of Harbour School',
  },
  {
    id: 'person-sam',
    name: 'Sam Rivera',
    email: 'sam@example.com',
    picture: 'https://images.example.com/people/sam.png',
    about: 'student at both schools',
  },
  {
    id: 'person-tess',
    name: 'Tess Okafor',
    email: 'tess@example.com',
    about: 'teacher at both schools, who may connect apps and not decide',
  },
  { id: 'person-nora', name: 'Nora Lind', email: 'nora@example.com', about: 'no role at either school' },
];
