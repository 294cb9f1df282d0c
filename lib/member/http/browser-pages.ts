import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Context } from 'koa';
import type { Route, RouteCall } from '../../http/route.ts';
import { sendDocument, type ServedDocument, textDocument } from '../../http/send.ts';
import { InvalidRequest } from '../../kernel/errors.ts';
import { paths } from '../../http/paths.ts';
import type { MemberApiSettings } from '../options.ts';

/** The folder of the endpoint. A host that does not ask for the landing page may have its own there. */
const landingPath = '/member';

type BrowserPage = (call: RouteCall) => Promise<void>;

/** GraphiQL for a browser that opens the endpoint. It executes nothing: its requests are those of any client, with a token. */
export function graphiqlPage({ graphiql, renderGraphiQL }: MemberApiSettings): BrowserPage | undefined {
  if (graphiql === false || !renderGraphiQL) return undefined;
  const options = graphiql === true ? {} : graphiql;
  const html = renderGraphiQL({ title: 'Member API', ...options, endpoint: paths.memberGraphql });
  const page = pageOf(html);
  return async ({ ctx }) => send(ctx, page);
}

/** Yoga's landing page at the folder of the endpoint, for browsers only. */
export function landingPage({ landingPage: isOn }: MemberApiSettings, schema: GraphQLSchema): Route[] {
  if (!isOn) return [];
  const yoga = createYoga({ schema, graphqlEndpoint: paths.memberGraphql, logging: false, cors: false });
  let page: Promise<Page> | undefined;
  const render = async (): Promise<Page> => {
    const request = new Request(new URL(landingPath, 'http://localhost'), { headers: { accept: 'text/html' } });
    return pageOf(await (await yoga.fetch(request)).text());
  };
  return [
    {
      path: landingPath,
      methods: ['GET'],
      kind: 'static',
      handle: () => {
        throw new InvalidRequest(`this page is for browsers; the Member API is at ${paths.memberGraphql}`, {
          status: 404,
        });
      },
      browserPage: async ({ ctx }) => send(ctx, await (page ??= render())),
    },
  ];
}

interface Page {
  readonly document: ServedDocument;
  readonly policy: string;
}

/** Only the scripts that the page has itself may run: nothing is loaded from another host. */
function pageOf(html: string): Page {
  const scripts = Array.from(scriptsIn(html), hashOf);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    'worker-src blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { document: textDocument('text/html; charset=utf-8', html), policy: policy.join('; ') };
}

/** A script ends at the first end tag, and may have the text of a start tag in it. */
function* scriptsIn(html: string): Generator<string> {
  const [start, end] = ['<script>', '</script>'];
  for (let from = html.indexOf(start); from >= 0; from = html.indexOf(start, from)) {
    from += start.length;
    const to = html.indexOf(end, from);
    if (to < 0) return;
    yield html.slice(from, to);
    from = to;
  }
}

/** As the HTML parser reads the text. */
function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script.replace(/\r\n?/g, '\n')).digest('base64')}'`;
}

function send(ctx: Context, { document, policy }: Page): void {
  ctx.set({
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  sendDocument(ctx, document);
}
