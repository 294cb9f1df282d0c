import type { Site } from 'campus-oidc';
import { type Html, html } from './html.ts';
import type { Journey } from './journeys.ts';
import { demoPassword } from './people.ts';
import type { SchoolMember } from './queries.ts';
import type { DemoTexts } from './texts.ts';

interface HomeView {
  readonly school: Site;
  readonly schools: readonly Site[];
  readonly member: SchoolMember | undefined;
  readonly people: readonly SchoolMember[];
  readonly journeys: readonly Journey[];
  readonly texts: DemoTexts;
}

export interface SignInView {
  readonly school: Site;
  readonly returnTo: string;
  readonly email: string;
  readonly people: readonly SchoolMember[];
  readonly texts: DemoTexts;
  readonly isWrong?: boolean | undefined;
}

export function homePage({ school, schools, member, people, journeys, texts }: HomeView): Html {
  const others = schools.filter(({ id }) => id !== school.id);
  return html`
    <h1>${school.name}</h1>
    ${member ? signedIn(member, texts) : html`<p>${texts.signedOut} <a href="/sign-in">${texts.signIn}</a></p>`}
    <h2>${texts.tryIt}</h2>
    <ul class="tiles">
      ${journeys.map((journey) => tile(journey, texts))}
    </ul>
    <h2>${texts.people}</h2>
    <p class="quiet">${texts.password} <code>${demoPassword}</code></p>
    <ul>
      ${people.map((person) => html`<li>${person.name}, ${person.email}, ${rolesText(person, texts)}</li>`)}
    </ul>
    <h2>${texts.schools}</h2>
    <ul>
      ${others.map(({ name, origin }) => html`<li><a href="${origin}/">${name}</a></li>`)}
    </ul>
    <p class="quiet"><a href="/.well-known/openid-configuration">openid-configuration</a> <code>${school.origin}</code></p>
  `;
}

function tile({ title, about, href, post }: Journey, texts: DemoTexts): Html {
  const link = post
    ? html`<form method="post" action="${href}"><button type="submit" name="try" value="${title}">${texts[title]}</button></form>`
    : html`<a href="${href}">${texts[title]}</a>`;
  return html`<li>${link}<span class="quiet">${texts[about]}</span></li>`;
}

export function signInPage({ school, returnTo, email, people, texts, isWrong }: SignInView): Html {
  const invalid = isWrong === true && html`aria-invalid="true" aria-describedby="problem"`;
  return html`
    <h1>${texts.signInTo} ${school.name}</h1>
    ${isWrong === true && html`<p class="problem" id="problem" role="alert">${texts.wrong}</p>`}
    <form method="post" action="/sign-in">
      <input type="hidden" name="return_to" value="${returnTo}" />
      <label for="email">${texts.email}</label>
      <input id="email" name="email" type="email" value="${email}" autocomplete="username" required ${invalid} />
      <label for="password">${texts.passwordField}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required ${invalid} />
      <button type="submit">${texts.signIn}</button>
    </form>
    <h2>${texts.or}</h2>
    <div class="people">${people.map((person) => continueAs(person, returnTo, texts))}</div>
  `;
}

function continueAs({ name, email }: SchoolMember, returnTo: string, texts: DemoTexts): Html {
  return html`<form method="post" action="/sign-in">
    <input type="hidden" name="return_to" value="${returnTo}" />
    <input type="hidden" name="email" value="${email}" />
    <input type="hidden" name="password" value="${demoPassword}" />
    <button class="second" type="submit">${texts.continueAs} ${name}</button>
  </form>`;
}

export function messagePage(heading: string, text: string): Html {
  return html`
    <h1>${heading}</h1>
    <p>${text}</p>
    <p><a href="/">Home</a></p>
  `;
}

/** Stands in for the application's redirect URI. */
export function callbackPage(query: URLSearchParams): Html {
  return query.has('code')
    ? messagePage('Allowed', 'An application would now exchange the code in this URL for tokens.')
    : messagePage('Not allowed', `The application receives the error: ${query.get('error') ?? 'nothing'}.`);
}

function signedIn(member: SchoolMember, texts: DemoTexts): Html {
  return html`
    <p>${texts.signedInAs} <strong>${member.name}</strong> (${member.email}), ${rolesText(member, texts)}</p>
    <form method="post" action="/sign-out"><button class="second" type="submit">${texts.signOut}</button></form>
  `;
}

function rolesText({ roles }: SchoolMember, { noRole }: DemoTexts): string {
  return roles.length === 0 ? noRole : roles.join(', ');
}
