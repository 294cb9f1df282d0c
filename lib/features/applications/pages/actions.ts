import type { FormTranslator } from '../../../pages/kit/application-field.ts';
import { personName } from '../../../host/member-profile.ts';
import { memberMessage } from '../../../pages/kit/error-page.ts';
import { digest } from '../../../kernel/crypto.ts';
import { newCredentials } from '../domain/credentials.ts';
import type { Application } from '../../../core/applications/application.ts';
import type { AppRequest } from '../../../core/applications/request.ts';
import { field, type Form } from '../../../http/body.ts';
import { OAuthError } from '../../../kernel/errors.ts';
import { confirmPage } from '../../../pages/kit/member-page.ts';
import { noticeAddress, noticeOf } from '../../../pages/kit/csrf-tokens.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import type { PageBuilder } from '../../../pages/kit/pages.ts';
import { decidedPage } from './answer-conflicts.ts';
import { grantWith } from './grant-request.ts';
import { findKnownApplication, appWithCallback } from './known-apps.ts';
import {
  endingFields,
  type FormValues,
  formValuesOf,
  problemsIn,
  readFormValues,
  ticksOf,
  toApplicationInput,
} from './form-values.ts';
import { secretPage } from './connect-page.ts';
import { hasSecret, overlapChoice, overlapIn } from './secrets.ts';
import { type Conflict, conflictText, namedConflict, shownIn, staleText } from '../../../pages/kit/conflict.ts';
import { VersionConflict } from '../../../core/clients/expected-version.ts';
import { html, type Html, type Translator } from '../../../pages/kit/markup.ts';
import { editPage, narrowPage, rotationOfPeople } from './form-pages.ts';
import { type ApplicationPageRequest, askedFields, fieldsIn, isConflict, missing } from './page-request.ts';

export async function remove(request: ApplicationPageRequest, form: Form): Promise<PageResult> {
  const { applications, path, context, call } = request;
  const { audience } = (await applications.find(context.site, call.id)) ?? {};
  try {
    const { connections } = await applications.remove(context.site, call.id, shownIn(form));
    return noticeAddress(path, request, { removed: audience === 'service' ? audience : String(connections) });
  } catch (error) {
    if (error instanceof VersionConflict) {
      const conflict = await conflictIn(request, error);
      return conflictPage(request, call.id, (t) => staleText(t, conflict));
    }
    if (!(error instanceof OAuthError) || error.status !== 404) throw error;
    return missing(request);
  }
}

export async function show(request: ApplicationPageRequest, application: Application): Promise<PageBuilder> {
  const { applications, path, context, call } = request;
  const { audience, clientId, clientName: client, version } = application;
  const { confirm, view } = call.ctx.query;
  const pagePath = `${path}/${clientId}`;
  const issued = await issuedPage(request, application);
  if (issued) return issued;
  if (view === 'consent') return (await request.preview(context, clientId, pagePath)) ?? missing(request);
  if (confirm === 'rotate' && hasSecret(application)) {
    const form = { values: { client }, action: 'rotate', fields: { version }, page: pagePath, choice: overlapChoice };
    const done = (t: FormTranslator): Html | false => rotationOfPeople(t, application);
    return confirmPage(context, 'secret.rotate', { ...form, done, button: 'secret.rotate' });
  }
  if (confirm === 'remove') {
    const values = { client, count: await applications.connections(context.site, clientId) };
    return confirmPage(context, audience === 'service' ? 'remove.service' : 'remove', {
      values,
      button: 'remove.button',
      action: 'remove',
      fields: { version },
      page: pagePath,
    });
  }
  const people = await about(request, application);
  const saved = noticeOf(request, ['saved'])?.saved === application.version;
  return editPage(context, {
    ...people,
    values: formValuesOf(
      request.enabled.known,
      application,
      askedFields(request),
      fieldsIn(request, application, application),
    ),
    problems: [],
    saved,
  });
}

async function about(request: ApplicationPageRequest, application: Application) {
  const { applications, findListed, kit, context } = request;
  const { site } = context;
  const { clientId, createdBy } = application;
  const [people, creator, secrets, { status }] = await Promise.all([
    applications.connections(site, clientId),
    createdBy === undefined ? undefined : kit.platform.findMember(site, createdBy),
    applications.secrets(site, clientId),
    findListed(site, { clientId }),
  ]);
  return { application, people, secrets, status, creator: creator && personName(creator), connect: request };
}

export async function save(request: ApplicationPageRequest, application: Application, form: Form): Promise<PageResult> {
  const { applications, enabled, path, context } = request;
  const { known } = enabled;
  const { site } = context;
  const { clientId } = application;
  const { audience, signIn } = application;
  const fields = fieldsIn(request, application, application);
  const read = readFormValues(form, { audience, isSignIn: signIn !== undefined, fields, known });
  const values = {
    ...read,
    kind: undefined,
    ticked: new Map([...ticksOf(known, application), ...(read.ticked ?? [])]),
  };
  const problems = problemsIn(values, request, application);
  const seen = field(form, 'version') ?? application.version;
  const action = field(form, 'action');
  if (problems.length > 0 || action === 'edit') {
    return editPage(context, { ...(await about(request, application)), values, problems, seen });
  }
  const removed = application.scopes.filter((scope) => !values.scopes.includes(scope));
  const ending = endingFields(values, application, request.fields);
  if ((removed.length > 0 || ending.length > 0) && action !== 'narrow' && seen === application.version) {
    const people = await applications.connections(site, clientId);
    if (people > 0) return narrowPage(context, { application, values, removed, ending, people });
  }
  let version: string;
  try {
    const change = { version: seen, by: context.member.id };
    ({ version } = await applications.update(site, clientId, toApplicationInput(values, request), change));
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    const current = await applications.find(site, clientId);
    if (!current) return missing(request);
    const conflict = await conflictIn(request, error);
    return editPage(context, { ...(await about(request, current)), values, problems, conflict });
  }
  return noticeAddress(`${path}/${clientId}`, request, { saved: version });
}

/** Creates an application, however often its form is submitted, and leads to the page that shows its secret once. */
export async function create(
  request: ApplicationPageRequest,
  form: Form,
  values: FormValues,
  asked?: AppRequest,
): Promise<PageResult> {
  const { issuer, secrets, path, context, call } = request;
  const { site, member } = context;
  const name = formName(form);
  const confidential = values.audience === 'service' || values.kind === 'confidential';
  const input = toApplicationInput(values, request);
  const { publicKeys } = input;
  const reserved = await secrets.reserve(submitted(request, name), () =>
    newCredentials(confidential && publicKeys === undefined),
  );
  if (!reserved) return submittedBefore(request);
  const { clientId, credentials } = reserved;
  const isOpen = asked?.status === 'open';
  if (asked && !isOpen && asked.clientId !== clientId) return decidedPage(request, asked);
  if (credentials) {
    const chosen = asked?.app ?? call.ctx.query['app'];
    const app = (findKnownApplication(chosen) ?? appWithCallback(input.redirectUris))?.id;
    const settings = { ...input, audience: values.audience, createdBy: member.id, app };
    const isConfidential = credentials.clientSecret !== undefined || publicKeys !== undefined;
    // Another submission of this form may have been faster.
    await issuer.create(site, { ...settings, confidential: isConfidential }, credentials).catch(passConflict);
    if (isOpen) {
      const refused = await grantWith(request, form, { asked, clientId, values });
      if (refused) return refused;
    }
  }
  return `${path}/${clientId}?created=${name}`;
}

export async function rotate(
  request: ApplicationPageRequest,
  { clientId }: Application,
  form: Form,
): Promise<PageResult> {
  const { issuer, secrets, path, context } = request;
  const name = formName(form);
  const pagePath = `${path}/${clientId}`;
  const rotated = `${pagePath}?rotated=${name}`;
  const make = () => ({ ...newCredentials(true), clientId });
  const reserved = await secrets.reserve(submitted(request, name), make);
  // The form of another application, which the browser has shown before.
  if (!reserved || reserved.clientId !== clientId) return submittedBefore(request);
  const { credentials } = reserved;
  if (!credentials) return rotated;
  try {
    await issuer.rotateSecret(context.site, credentials, {
      ...shownIn(form),
      by: context.member.id,
      overlap: overlapIn(form),
    });
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error;
    // Another submission of this form may have been faster, or another administrator.
    if (!(await issuer.hasSecret(context.site, credentials))) {
      const conflict = await conflictIn(request, error);
      const why = (t: Translator): Html => html`${conflictText(t, conflict)} ${t.html('conflict.secret')}`;
      return conflictPage(request, clientId, why);
    }
  }
  return rotated;
}

/** Leads to the application as it is now. */
function conflictPage(
  { path, context }: ApplicationPageRequest,
  clientId: string,
  why: (t: Translator) => Html,
): PageBuilder {
  const action = { text: 'conflict.secret.look', href: `${path}/${clientId}` } as const;
  return memberMessage(context, { title: 'conflict.title', texts: [why], status: 409, action });
}

function conflictIn({ kit, context }: ApplicationPageRequest, { decided }: VersionConflict): Promise<Conflict> {
  return namedConflict(kit.platform, context, decided);
}

/** The page after a redirect from one of the above; nothing for an address without the name of a form. */
async function issuedPage(request: ApplicationPageRequest, application: Application): Promise<PageBuilder | undefined> {
  const { applications, issuer, secrets, context, call } = request;
  const { created, rotated } = call.ctx.query;
  const name = created ?? rotated;
  if (typeof name !== 'string') return undefined;
  // A HEAD request shows nothing.
  const credentials = call.ctx.method === 'GET' ? await secrets.take(submitted(request, name)) : undefined;
  const isCurrent =
    credentials?.clientId === application.clientId && (await issuer.hasSecret(context.site, credentials));
  if (!isCurrent && !hasSecret(application)) return undefined;
  const secret = isCurrent ? credentials.clientSecret : undefined;
  const [, previous] = await applications.secrets(context.site, application.clientId);
  return secretPage(request, application, { secret, isShown: isCurrent, isNew: created !== undefined, previous });
}

function submitted({ context }: ApplicationPageRequest, form: string) {
  return { siteId: context.site.id, memberId: context.member.id, form };
}

/** Names one rendering of a form: its CSRF token is another one each time. */
function formName(form: Form): string {
  return digest(field(form, 'csrf') ?? '');
}

function submittedBefore({ path, context }: ApplicationPageRequest): PageBuilder {
  const action = { text: 'applications.title', href: path } as const;
  return memberMessage(context, { title: 'expired.twice.title', texts: ['expired.twice'], status: 400, action });
}

function passConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error;
}
