import { everything } from '../../__tests__/api-docs/configurations.ts';
import { publishedBy } from '../../__tests__/api-docs/published.ts';
import type { Route } from '../../lib/http/route.ts';
import { code, type ReferenceEntry, type ReferencePage } from './page.ts';

/** What a school serves when every option is on. Texts are those of its `/openapi.json`. */
export async function endpointsPage(): Promise<ReferencePage> {
  const { description, routes } = await publishedBy(everything());
  const described = Object.entries(description.paths).map(([path, operations]): ReferenceEntry => {
    const [first] = Object.values(operations);
    return {
      heading: code(path),
      facts: [Object.keys(operations).join(', ').toUpperCase()],
      text: [first?.summary, first?.description].filter(Boolean).map(sentence).join('\n\n'),
    };
  });
  const isMetadata = ({ heading }: ReferenceEntry): boolean => heading.startsWith(code('/.well-known/').slice(0, -1));
  const pages = routes.filter(({ path }) => !(path in description.paths)).map(pageEntry);
  return {
    file: 'docs/reference/endpoints.md',
    title: 'Endpoints',
    about,
    sections: [
      { title: 'Metadata', entries: described.filter(isMetadata) },
      { title: 'OAuth, tools and the Member API', entries: described.filter((entry) => !isMetadata(entry)) },
      { title: 'Pages', about: aboutPages, entries: pages },
    ],
  };
}

const aboutOf: Readonly<Record<string, string>> = {
  '/oauth/pages.js': 'The script that copies texts. Every page works without it.',
  '/oauth/authorize/:id': 'Continues an authorization request after sign-in and consent.',
  '/oauth/interaction/:id': 'The consent page, and the page that asks the person to confirm who they are.',
  '/developers/oauth-applications': '_Developers_: the OAuth applications of the school.',
  '/developers/oauth-applications/new': 'Creates an OAuth application.',
  '/developers/oauth-applications/refused': 'Authorization requests that were refused recently.',
  '/developers/oauth-applications/asked': '_Requests_: requests of members for apps, and metadata documents to review.',
  '/developers/oauth-applications/:id': 'One OAuth application.',
  '/account/apps': '_Your apps_: the connections of a person.',
  '/account/apps/:id': 'One connected app.',
  '/account/apps/requests': 'Asks the school for an app.',
  '/account/apps/check': 'Checks an app that a person wants to connect.',
  '/developers/apps': '_Apps_: every app at the school, and the decision about it.',
  '/developers/apps/people': '_People_: what each person has connected, and a page for each person.',
  '/developers/apps/activity': '_Activity_: recent events.',
};

function pageEntry({ path, methods }: Route): ReferenceEntry {
  const text = aboutOf[path];
  if (text === undefined) throw new Error(`${path} must have a text in aboutOf`);
  return { heading: code(path), facts: [methods.join(', ')], text };
}

function sentence(text = ''): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const about = `Look up the endpoints that each school serves at its own origin when every option is on. Without an option, its endpoints do not exist. The
\`/openapi.json\` of a school describes its own endpoints, with parameters and responses.`;

const aboutPages = `For people in a browser. [\`pages\`](options.md) moves or removes _Developers_, _Apps_ and _Your apps_.`;
