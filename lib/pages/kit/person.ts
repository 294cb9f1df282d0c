import { personName, profileOf } from '../../host/member-profile.ts';
import type { Member } from '../../host/school-platform.ts';
import { shortName } from './markup.ts';

/** The values of a text that names a person. `email` is beside a name only. */
export interface PersonValues {
  readonly name: string;
  readonly email?: string;
}

export function personValues(member: Member): PersonValues {
  const { name, email } = profileOf(member);
  return { name: shortName(personName(member)), ...(name !== undefined && email !== undefined && { email }) };
}

type PersonText = 'person.signedIn' | 'person.changed.text';

/** The text for a person, who may have no address. */
export function personText<T extends PersonText>(text: T, { email }: PersonValues): T | `${T}.name` {
  return email === undefined ? `${text}.name` : text;
}
