import type { SchoolRoles } from '../../core/access/school-roles.ts';
import { peoplePath } from '../kit/console.ts';
import { html, type Html, isolated, shortName, type Translator } from '../kit/markup.ts';
import { roleName } from '../kit/role-name.ts';
import type { ConnectedPerson } from '../../core/connections/people.ts';

/** The name of a person on pages, otherwise their address or id. */
export function nameOfPerson({ name, email, memberId }: Pick<ConnectedPerson, 'name' | 'email' | 'memberId'>): string {
  return shortName(name ?? email ?? memberId);
}

/** The name of a person, which leads to their page. */
export function personLink(appsPath: string, person: Pick<ConnectedPerson, 'name' | 'email' | 'memberId'>): Html {
  return html`<a class="name" href="${peoplePath(appsPath, person.memberId)}">${isolated(nameOfPerson(person))}</a>`;
}

/** The roles of a person in words, or that they have left. */
export function rolesLine(t: Translator, known: SchoolRoles, roles: readonly string[] | undefined): Html {
  if (!roles) return t.html('person.gone');
  return html`${roles.map((role, i) => html`${i > 0 && ', '}${isolated(roleName(known, role))}`)}`;
}
