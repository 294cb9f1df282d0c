import type { AppRequest } from '../../../core/applications/request.ts';
import type { Form } from '../../../http/body.ts';
import type { PageResult } from '../../../pages/kit/page-access.ts';
import { decidedPage, decisionOn, isOvertaken } from './answer-conflicts.ts';
import type { FormValues } from './form-values.ts';
import { newPage } from './form-pages.ts';
import type { ApplicationPageRequest } from './page-request.ts';

interface Granting {
  readonly asked: AppRequest;
  readonly clientId: string;
  readonly values: FormValues;
}

/** Grants a request with its new application, which goes again if the member or another administrator was faster. */
export async function grantWith(
  request: ApplicationPageRequest,
  form: Form,
  { asked, clientId, values }: Granting,
): Promise<PageResult | undefined> {
  const { requests, applications, context, call } = request;
  const { site } = context;
  try {
    await requests.grant(site, asked.id, clientId, decisionOn(request, form));
    return undefined;
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
  const current = await requests.find(site, asked.id);
  // Another submission of this form may have been faster.
  if (current?.clientId === clientId) return undefined;
  await applications.remove(site, clientId);
  if (current?.status !== 'open') return decidedPage(request, current);
  return newPage(context, { values, app: call.ctx.query['app'], asked: current, hasChanged: true });
}
