import type { Application } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import { confirmPage } from '../kit/member-page.ts';
import { messagePage } from '../kit/message-page.ts';
import { redirectSeeOther } from '../kit/redirect.ts';
import { editPage, secretPage } from './edit-pages.ts';
import { formValuesOf, problemsIn, readFormValues, toApplicationInput } from './form-input.ts';
import { type ApplicationPageRequest, type PageResult, preventDoubleSubmit } from './page-request.ts';

/** The page of one application, and its actions: save, rotate the secret, remove. */
export async function applicationPage(request: ApplicationPageRequest): Promise<PageResult> {
  const { applications, context, form, call } = request;
  const application = await applications.find(context.site, call.id);
  if (!application) return notFound(request);
  if (!form) return show(request, application);
  const action = field(form, 'action');
  if (action === 'remove') return remove(request, application);
  if (action !== 'rotate') return save(request, application, form);
  return preventDoubleSubmit(request, async () =>
    secretPage(context, await applications.rotateSecret(context.site, application.clientId), false),
  );
}

function notFound({ path, context }: ApplicationPageRequest): PageResult {
  const action = { text: 'applications.back', href: path } as const;
  const values = { school: context.site.name };
  return messagePage({ title: 'missing.title', texts: ['missing.application'], values, status: 404, action });
}

async function show(
  { applications, path, context, call }: ApplicationPageRequest,
  application: Application,
): Promise<PageResult> {
  const { clientId, clientName: client, confidential } = application;
  const { confirm, saved } = call.ctx.query;
  const action = `${path}/${clientId}`;
  if (confirm === 'rotate' && confidential) {
    return confirmPage(context, {
      title: 'secret.rotate.title',
      text: 'secret.rotate.text',
      values: { client },
      button: 'secret.rotate',
      fields: { action: 'rotate' },
      action,
    });
  }
  const connections = await applications.connections(context.site, clientId);
  if (confirm === 'remove') {
    return confirmPage(context, {
      title: 'remove.title',
      text: 'remove.text',
      values: { client, count: connections },
      button: 'remove.button',
      fields: { action: 'remove' },
      action,
    });
  }
  const values = formValuesOf(application);
  return editPage(context, { application, connections, values, problems: [], saved: saved === '1' });
}

async function remove(
  { applications, path, context, call }: ApplicationPageRequest,
  { clientId }: Application,
): Promise<PageResult> {
  const { connections } = await applications.remove(context.site, clientId);
  redirectSeeOther(call.ctx, `${path}?removed=${connections}`);
  return 'redirected';
}

async function save(
  { applications, path, context, call }: ApplicationPageRequest,
  application: Application,
  form: Form,
): Promise<PageResult> {
  const { clientId } = application;
  const values = { ...readFormValues(form), kind: undefined };
  const problems = problemsIn(values);
  if (problems.length > 0) {
    const connections = await applications.connections(context.site, clientId);
    return editPage(context, { application, connections, values, problems, saved: false });
  }
  await applications.update(context.site, clientId, toApplicationInput(values));
  redirectSeeOther(call.ctx, `${path}/${clientId}?saved=1`);
  return 'redirected';
}
