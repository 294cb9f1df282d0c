import type { Application } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { confirmPage } from '../kit/member-page.ts';
import { noticeOf, noticeQuery } from '../kit/notices.ts';
import type { PageResult } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { formValuesOf, problemsIn, readFormValues, toApplicationInput } from './form.ts';
import { issuedPage } from './issue.ts';
import { nextStepsPage } from './connect-pages.ts';
import { editPage, narrowPage } from './pages.ts';
import { type ApplicationPageRequest, isConflict, missing } from './requests.ts';

export async function remove(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, csrfTokens, path, context, call } = request;
  try {
    const { connections } = await applications.remove(context.site, call.id);
    const notice = noticeQuery(csrfTokens, context, { removed: String(connections) });
    return `${path}?${new URLSearchParams(notice).toString()}`;
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status !== 404) throw error;
    return missing(request);
  }
}

export async function show(request: ApplicationPageRequest, application: Application): Promise<PageBuilder> {
  const { applications, csrfTokens, path, context, call } = request;
  const { clientId, clientName: client, confidential, version } = application;
  const { confirm, view } = call.ctx.query;
  const here = `${path}/${clientId}`;
  const issued = await issuedPage(request, application);
  if (issued) return issued;
  if (view === 'start') return nextStepsPage(context, application);
  if (confirm === 'rotate' && confidential) {
    const form = { values: { client }, action: 'rotate', fields: { version }, page: here };
    return confirmPage(context, 'secret.rotate', { ...form, button: 'secret.rotate' });
  }
  if (confirm === 'remove') {
    const values = { client, count: await applications.connections(context.site, clientId) };
    return confirmPage(context, 'remove', { values, button: 'remove.button', action: 'remove', page: here });
  }
  const people = await about(request, application);
  const saved = noticeOf(csrfTokens, context, call.ctx.query, ['saved'])?.saved === application.version;
  return editPage(context, { ...people, values: formValuesOf(application), problems: [], saved });
}

/** What the page says beside the form. */
async function about({ applications, platform, context }: ApplicationPageRequest, application: Application) {
  const { site } = context;
  const { clientId, createdBy } = application;
  const [people, creator] = await Promise.all([
    applications.connections(site, clientId),
    createdBy === undefined ? undefined : platform.findMember(site, createdBy),
  ]);
  return { application, people, creator: creator?.name };
}

export async function save(request: ApplicationPageRequest, application: Application, form: Form): Promise<PageResult> {
  const { applications, catalogue, csrfTokens, path, context } = request;
  const { site } = context;
  const { clientId } = application;
  const values = { ...readFormValues(form, application.audience), kind: undefined };
  const problems = problemsIn(values, catalogue);
  const seen = field(form, 'version') ?? application.version;
  const action = field(form, 'action');
  if (problems.length > 0 || action === 'edit') {
    return editPage(context, { ...(await about(request, application)), values, problems, seen });
  }
  const removed = application.scopes.filter((scope) => !values.scopes.includes(scope));
  if (removed.length > 0 && action !== 'narrow' && seen === application.version) {
    const people = await applications.connections(site, clientId);
    if (people > 0) return narrowPage(context, { application, values, removed, people });
  }
  let version: string;
  try {
    ({ version } = await applications.update(site, clientId, toApplicationInput(values, catalogue), { version: seen }));
  } catch (error) {
    if (!isConflict(error)) throw error;
    const current = await applications.find(site, clientId);
    if (!current) return missing(request);
    return editPage(context, { ...(await about(request, current)), values, problems, conflict: true });
  }
  const notice = noticeQuery(csrfTokens, context, { saved: version });
  return `${path}/${clientId}?${new URLSearchParams(notice).toString()}`;
}
