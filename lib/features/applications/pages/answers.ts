import type { AppRequest, RequestGroup } from '../../../core/applications/request.ts';
import { namedApp } from '../../../core/apps/named-app.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { field, type Form } from '../../../http/body.ts';
import { ownEntry } from '../../../kernel/own-entry.ts';
import { inParts } from '../../../kernel/in-parts.ts';
import { requestsPath } from '../../../pages/kit/console.ts';
import { noticeAddress } from '../../../pages/kit/csrf-tokens.ts';
import { shortName } from '../../../pages/kit/markup.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import { newCredentials } from '../domain/credentials.ts';
import { maxText } from '../domain/requests.ts';
import { askersOf, isReady, roleOf } from './asking-group.ts';
import { changedPage, conflictWith, isOvertaken } from './answer-conflicts.ts';
import { declinePage } from './decline-page.ts';
import { appWithCallback, findKnownApplication } from './known-apps.ts';
import { type ApplicationPageRequest, toolScopes } from './page-request.ts';
import { allowMany, allowPeople, atOnce, type WantedApp, wantedApp } from './requested-app.ts';

type Answer = (request: ApplicationPageRequest, form: Form, group: RequestGroup) => Promise<PageResult>;

const answers: Readonly<Record<string, Answer>> = { approve, create, decline };

/** One answer for all who ask for an app, if nothing has changed since the page showed them. */
export async function answer(request: ApplicationPageRequest, form: Form): Promise<PageResult> {
  const { requests, context } = request;
  const open = await requests.openGroups(context.site);
  const group = open.find(({ key }) => key === field(form, 'id'));
  const act = ownEntry(answers, field(form, 'action') ?? '');
  if (!group || !act) return changedPage(request);
  if (group.version !== field(form, 'shown'))
    return act === decline ? declinePage(request, group, { answer: answerIn(form) }) : changedPage(request);
  try {
    return await act(request, form, group);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return error instanceof VersionConflict ? conflictWith(request, error.decided) : changedPage(request);
  }
}

/** Decides on the app first: from then on each request is answered, whatever is still to be written of it. */
async function approve(request: ApplicationPageRequest, form: Form, group: RequestGroup): Promise<PageResult> {
  const { findListed, context } = request;
  const [first] = await askersOf(request, group.requests.slice(0, 1));
  const wanted = first && (await wantedApp(request, group.latest, first.member));
  if (!wanted) return changedPage(request);
  const chosen = field(form, 'for') ?? '';
  if (!(chosen === 'people' ? wanted.forOne : wanted.forEveryone))
    return conflictWith(request, (await findListed(context.site, namedApp(wanted.decides))).decided);
  const answered = await decide(request, form, group, wanted);
  await write(answered, ({ id }) => request.requests.allow(context.site, id, { by: context.member.id }));
  return done(request, group, { approved: answered.length });
}

/** Returns whose requests that answers. */
async function decide(
  request: ApplicationPageRequest,
  form: Form,
  { requests: asked }: RequestGroup,
  wanted: WantedApp,
): Promise<readonly AppRequest[]> {
  const chosen = field(form, 'for') ?? '';
  const version = field(form, 'decision') ?? '';
  if (chosen === 'people') {
    const people = asked.map(({ memberId }) => memberId);
    await allowPeople(request, people, wanted, version);
    return asked;
  }
  const shown = [form['role'] ?? []].flat();
  const access = chosen === 'view' ? 'view_only' : 'allowed';
  const [, only] = /^role (.+)$/s.exec(chosen) ?? [];
  if (only !== undefined) {
    await allowMany(request, wanted, { access, roles: [only] }, version);
    const askers = await askersOf(request, asked);
    return askers.flatMap(({ member, request: each }) => (member && roleOf(member) === only ? [each] : []));
  }
  const roles = chosen === 'everyone' || shown.length === 0 ? undefined : shown;
  await allowMany(request, wanted, { access, roles }, version);
  return asked;
}

/** Creates an application without a secret, with what was asked for, and grants all requests with it. */
async function create(request: ApplicationPageRequest, _form: Form, group: RequestGroup): Promise<PageResult> {
  const { requests, applications, issuer, context } = request;
  const { site, member } = context;
  if (!isReady(group)) return changedPage(request);
  const { app: asked, redirectUris } = group.latest;
  const { clientName } = group;
  const app = (findKnownApplication(asked) ?? appWithCallback(redirectUris))?.id;
  const credentials = newCredentials(false);
  const settings = { audience: 'member', createdBy: member.id, app, confidential: false } as const;
  const scopes = toolScopes(request, 'member');
  await issuer.create(site, { clientName, redirectUris, scopes, ...settings }, credentials);
  const grant = (id: string) => requests.grant(site, id, credentials.clientId, { by: member.id });
  const count = await write(group.requests, ({ id }) => grant(id));
  if (count > 0) return done(request, group, { approved: count });
  // Somebody else was faster: nobody has the application.
  await applications.remove(site, credentials.clientId);
  return changedPage(request);
}

async function decline(request: ApplicationPageRequest, form: Form, group: RequestGroup): Promise<PageResult> {
  const { requests, context } = request;
  const text = answerIn(form);
  const count = await write(group.requests, ({ id }) =>
    requests.decline(context.site, id, text, { by: context.member.id }),
  );
  return count > 0 ? done(request, group, { declined: count }) : changedPage(request);
}

function answerIn(form: Form): string {
  return (field(form, 'answer') ?? '').slice(0, maxText);
}

/** Writes the answer to each request, some at a time. Returns how many that were: somebody else may have answered one, or its person has withdrawn it. */
async function write(
  requests: readonly AppRequest[],
  answerTo: (request: AppRequest) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  const one = async (request: AppRequest): Promise<void> => {
    try {
      await answerTo(request);
      count += 1;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  };
  for await (const some of inParts(requests, atOnce)) await Promise.all(some.map(one));
  return count;
}

/** Back to the list, which says for how many people that was. */
function done(
  request: ApplicationPageRequest,
  { clientName }: RequestGroup,
  { approved, declined }: { readonly approved?: number; readonly declined?: number },
): string {
  const name = shortName(clientName);
  const outcome = declined === undefined ? { approved: name } : { declined: name };
  return noticeAddress(requestsPath(request.path), request, { ...outcome, people: `${approved ?? declined ?? 0}` });
}
