import { newCredentials } from '../../clients/application-issuer.ts';
import type { Application } from '../../contracts/application.ts';
import { field, type Form } from '../../http/body.ts';
import { digest } from '../../runtime/crypto.ts';
import { messagePage } from '../kit/error-page.ts';
import type { PageResult } from '../kit/page-access.ts';
import type { PageBuilder } from '../kit/pages.ts';
import { secretPage } from './connect-pages.ts';
import { type FormValues, toApplicationInput } from './form.ts';
import { type ApplicationPageRequest, isConflict } from './requests.ts';

/** Creates an application, however often its form is submitted, and leads to the page that shows its secret once. */
export async function create(request: ApplicationPageRequest, form: Form, values: FormValues): Promise<PageResult> {
  const { issuer, secrets, catalogue, path, context } = request;
  const { site, member } = context;
  const name = formName(form);
  const confidential = values.kind === 'confidential';
  const reserved = await secrets.reserve(submitted(request, name), () => newCredentials({ confidential }));
  if (!reserved) return submittedBefore(request);
  const { clientId, credentials } = reserved;
  if (credentials) {
    const settings = { ...toApplicationInput(values, catalogue), audience: values.audience, createdBy: member.id };
    const hasSecret = credentials.clientSecret !== undefined;
    // Another submission of this form may have been faster.
    await issuer.create(site, { ...settings, confidential: hasSecret }, credentials).catch(passConflict);
  }
  return `${path}/${clientId}?created=${name}`;
}

/** Gives an application a new secret, however often the form is submitted. */
export async function rotate(
  request: ApplicationPageRequest,
  { clientId, clientName }: Application,
  form: Form,
): Promise<PageResult> {
  const { issuer, secrets, path, context } = request;
  const name = formName(form);
  const here = `${path}/${clientId}`;
  const rotated = `${here}?rotated=${name}`;
  const make = () => ({ ...newCredentials({ confidential: true }), clientId });
  const reserved = await secrets.reserve(submitted(request, name), make);
  // The form of another application, which the browser has shown before.
  if (!reserved || reserved.clientId !== clientId) return submittedBefore(request);
  const { credentials } = reserved;
  if (!credentials) return rotated;
  try {
    await issuer.rotateSecret(context.site, credentials, field(form, 'version') ?? '');
  } catch (error) {
    if (!isConflict(error)) throw error;
    // Another submission of this form may have been faster, or another operator.
    if (!(await issuer.hasSecret(context.site, credentials))) {
      const action = { text: 'conflict.secret.look', href: here } as const;
      const values = { client: clientName };
      return messagePage({ title: 'conflict.title', texts: ['conflict.secret'], values, status: 409, action });
    }
  }
  return rotated;
}

/** The page after a redirect from one of the above; nothing for an address without the name of a form. */
export async function issuedPage(
  request: ApplicationPageRequest,
  application: Application,
): Promise<PageBuilder | undefined> {
  const { issuer, secrets, context, call } = request;
  const { created, rotated } = call.ctx.query;
  const name = created ?? rotated;
  if (typeof name !== 'string') return undefined;
  // A HEAD request shows nothing.
  const credentials = call.ctx.method === 'GET' ? await secrets.take(submitted(request, name)) : undefined;
  const isCurrent =
    credentials?.clientId === application.clientId && (await issuer.hasSecret(context.site, credentials));
  if (!isCurrent && !application.confidential) return undefined;
  const secret = isCurrent ? credentials.clientSecret : undefined;
  return secretPage(context, application, { secret, isShown: isCurrent, isNew: created !== undefined });
}

function submitted({ context }: ApplicationPageRequest, form: string) {
  return { siteId: context.site.id, memberId: context.member.id, form };
}

/** Names one rendering of a form: its CSRF token is another one each time. */
function formName(form: Form): string {
  return digest(field(form, 'csrf') ?? '');
}

function submittedBefore({ path }: ApplicationPageRequest): PageBuilder {
  const action = { text: 'expired.twice.list', href: path } as const;
  return messagePage({ title: 'expired.twice.title', texts: ['expired.twice'], status: 400, action });
}

function passConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error;
}
