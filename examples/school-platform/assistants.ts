import type { Context } from 'koa';
import type { Campus, SeenDocument, Site } from 'campus-oidc';
import { readForm } from './forms.ts';
import { type Html, html } from './html.ts';
import { sendPage } from './layout.ts';
import { messagePage } from './pages.ts';
import type { Queries } from './queries.ts';
import type { Sessions } from './sessions.ts';

interface AssistantPages {
  readonly documents: Campus['documents'];
  readonly queries: Queries;
  readonly sessions: Sessions;
}

/** Where an operator reviews the metadata documents of assistants: until then, an assistant can only read. */
export function assistantHandlers({ documents, queries, sessions }: AssistantPages) {
  const isOperator = (ctx: Context, school: Site): boolean => {
    const session = sessions.current(ctx, school.id);
    const roles = (session && queries.member(school.id, session.personId)?.roles) ?? [];
    return roles.some((role) => role === 'owner' || role === 'admin');
  };

  /** `GET /assistants`. */
  async function show(ctx: Context, school: Site): Promise<void> {
    if (isOperator(ctx, school)) return sendPage(ctx, 'Assistants', listPage(await documents.list(school)));
    ctx.status = 403;
    sendPage(ctx, 'Assistants', messagePage('Assistants', 'Sign in as an owner or admin of this school.'));
  }

  /** `POST /assistants`. */
  async function decide(ctx: Context, school: Site): Promise<void> {
    const form = await readForm(ctx, school.origin);
    if (!isOperator(ctx, school)) return show(ctx, school);
    const clientId = form.get('client_id') ?? '';
    if (form.get('decision') === 'approve') await documents.approve(school, clientId, form.get('digest') ?? '');
    else await documents.reject(school, clientId);
    ctx.status = 303;
    ctx.redirect('/assistants');
  }

  return { show, decide };
}

function listPage(documents: readonly SeenDocument[]): Html {
  return html`
    <h1>Assistants</h1>
    <p>An assistant with a metadata document can only read until you approve it. It is listed once an operator has signed in with it.</p>
    ${documents.length === 0 && html`<p class="quiet">None yet.</p>`}
    <ul>
      ${documents.map(
        ({ clientId, clientName, digest, status }) => html`<li>
          ${clientName ?? 'No name'} <span class="quiet">${clientId}, ${status}</span>
          <form method="post" action="/assistants">
            <input type="hidden" name="client_id" value="${clientId}" />
            <input type="hidden" name="digest" value="${digest}" />
            <button type="submit" name="decision" value="approve">Approve</button>
            <button type="submit" name="decision" value="reject">Reject</button>
          </form>
        </li>`,
      )}
    </ul>
  `;
}
