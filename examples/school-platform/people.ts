/** Someone to sign in as. */
export interface DemoPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly picture?: string;
  /** Who that is, for the one who tries the demo. */
  readonly about: string;
}

/** Everybody's password. */
export const demoPassword = 'demo';

/** The people of the platform; `seed.sql` gives them their roles. */
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
  { id: 'person-tess', name: 'Tess Okafor', email: 'tess@example.com', about: 'teacher at Summit School' },
  { id: 'person-nora', name: 'Nora Lind', email: 'nora@example.com', about: 'no role at either school' },
];
