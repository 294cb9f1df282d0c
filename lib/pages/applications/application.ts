import type { Application } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import { editPage, secretPage } from './edit-pages.ts';
import { confirmPage } from '../kit/member-page.ts';
import { messagePage } from '../kit/message-page.ts';
import { seeOther } from '../kit/see-other.ts';
import { formOf, inputOf, problemsIn, readValues } from './form-input.ts';
import { type ApplicationPagesOptions, type ApplicationPageRequest, type Next, oncePerForm } from './page-request.ts';

/** The page of one application: to look at, to change, to give it a new secret, to remove it. */
export async function oneApplication(options: ApplicationPagesOptions, call: ApplicationPageRequest): Promise<Next> {
  const { desk, form, route } = call;
  const application = await options.applications.find(desk.site, route.id);
  if (!application) return missing(options, call);
  if (!form) return look(options, call, application);
  const action = field(form, 'action');
  if (action === 'remove') return remove(options, call, application);
  if (action !== 'rotate') return save(options, call, application, form);
  return oncePerForm(options, call, async () =>
    secretPage(desk, await options.applications.rotateSecret(desk.site, application.clientId), false),
  );
}

function missing({ path }: ApplicationPagesOptions, { desk }: ApplicationPageRequest): Next {
  const wayOut = { text: 'applications.back', href: path } as const;
  const values = { school: desk.site.name };
  return messagePage({ title: 'missing.title', texts: ['missing.application'], values, status: 404, wayOut });
}

async function look(
  options: ApplicationPagesOptions,
  call: ApplicationPageRequest,
  application: Application,
): Promise<Next> {
  const { desk, route } = call;
  const { clientId, clientName: client, confidential } = application;
  const { confirm, saved } = route.ctx.query;
  const action = `${options.path}/${clientId}`;
  if (confirm === 'rotate' && confidential) {
    return confirmPage(desk, {
      title: 'secret.rotate.title',
      text: 'secret.rotate.text',
      values: { client },
      button: 'secret.rotate',
      fields: { action: 'rotate' },
      action,
    });
  }
  const connections = await options.applications.connections(desk.site, clientId);
  if (confirm === 'remove') {
    return confirmPage(desk, {
      title: 'remove.title',
      text: 'remove.text',
      values: { client, count: connections },
      button: 'remove.button',
      fields: { action: 'remove' },
      action,
    });
  }
  const values = formOf(application);
  return editPage(desk, { application, connections, values, problems: [], saved: saved === '1' });
}

async function remove(
  { applications, path }: ApplicationPagesOptions,
  { desk, route }: ApplicationPageRequest,
  { clientId }: Application,
): Promise<Next> {
  const { connections } = await applications.remove(desk.site, clientId);
  seeOther(route.ctx, `${path}?removed=${connections}`);
  return 'sent';
}

async function save(
  { applications, path }: ApplicationPagesOptions,
  { desk, route }: ApplicationPageRequest,
  application: Application,
  form: Form,
): Promise<Next> {
  const { clientId } = application;
  const values = { ...readValues(form), kind: undefined };
  const problems = problemsIn(values);
  if (problems.length > 0) {
    const connections = await applications.connections(desk.site, clientId);
    return editPage(desk, { application, connections, values, problems, saved: false });
  }
  await applications.update(desk.site, clientId, inputOf(values));
  seeOther(route.ctx, `${path}/${clientId}?saved=1`);
  return 'sent';
}
