import type { Member, Site } from 'campus-oidc';
import { type Html, html } from './html.ts';
import { demoPassword } from './people.ts';

interface HomeView {
  readonly school: Site;
  readonly schools: readonly Site[];
  readonly member: Member | undefined;
  readonly people: readonly Member[];
  /** An authorization request, as an application would send it; absent at a school without an application to try. */
  readonly tryConsent: string | undefined;
}

export interface SignInView {
  readonly school: Site;
  readonly returnTo: string;
  readonly email: string;
  readonly problem?: string | undefined;
}

export function homePage({ school, schools, member, people, tryConsent }: HomeView): Html {
  const others = schools.filter(({ id }) => id !== school.id);
  return html`
    <h1>${school.name}</h1>
    ${member ? signedIn(member) : html`<p>You are not signed in. <a href="/sign-in">Sign in</a></p>`}
    <h2>Your applications</h2>
    <ul>
      ${tryConsent !== undefined && html`<li><a href="${tryConsent}">Connect an application to your account</a></li>`}
      <li><a href="/account/connected-apps">Connected apps</a></li>
      <li><a href="/developers/oauth-applications">OAuth applications</a> (for owners and admins)</li>
      <li><a href="/developers/connections">Connections at this school</a> (for owners and admins)</li>
      <li><a href="/assistants">Assistants to approve</a> (for owners and admins)</li>
    </ul>
    <h2>For applications</h2>
    <p>
      <a href="/.well-known/openid-configuration">Discovery document</a> of the issuer <code>${school.origin}</code>
    </p>
    <h2>People in this demo</h2>
    <p class="quiet">Everyone’s password is <code>${demoPassword}</code>.</p>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">E-mail</th>
            <th scope="col">Roles here</th>
          </tr>
        </thead>
        <tbody>
          ${people.map(personRow)}
        </tbody>
      </table>
    </div>
    <h2>Other schools</h2>
    <ul>
      ${others.map(({ name, origin }) => html`<li><a href="${origin}/">${name}</a></li>`)}
    </ul>
  `;
}

/** `problem` explains why the previous attempt failed. */
export function signInPage({ school, returnTo, email, problem }: SignInView): Html {
  const invalid = problem !== undefined && html`aria-invalid="true" aria-describedby="problem"`;
  return html`
    <h1>Sign in to ${school.name}</h1>
    ${problem !== undefined && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
    <form method="post" action="/sign-in">
      <input type="hidden" name="return_to" value="${returnTo}" />
      <label for="email">E-mail</label>
      <input id="email" name="email" type="email" value="${email}" autocomplete="username" required ${invalid} />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required ${invalid} />
      <button type="submit">Sign in</button>
    </form>
    <p class="quiet">This is a demo: its <a href="/">home page</a> lists the people you can sign in as.</p>
  `;
}

export function messagePage(heading: string, text: string): Html {
  return html`
    <h1>${heading}</h1>
    <p>${text}</p>
    <p><a href="/">Home</a></p>
  `;
}

function signedIn(member: Member): Html {
  return html`
    <p>Signed in as <strong>${member.name}</strong> (${member.email}), ${rolesText(member)}.</p>
    <form method="post" action="/sign-out"><button type="submit">Sign out</button></form>
  `;
}

function personRow(person: Member): Html {
  return html`
    <tr>
      <td>${person.name}</td>
      <td>${person.email}</td>
      <td>${rolesText(person)}</td>
    </tr>
  `;
}

function rolesText({ roles }: Member): string {
  return roles.length === 0 ? 'no role' : roles.join(', ');
}
