import { connect, getCode, webMemberApp } from '../helpers/flow.ts';
import type { Schools } from '../helpers/schools.ts';

/** Connects a client, and returns what authorizes it again without a page. The session is stored by then. */
export async function silentAuthorization(schools: Schools): Promise<() => Promise<unknown>> {
  const browser = schools.browser('sam');
  await connect(browser, schools.harbour, webMemberApp);
  const authorize = (): Promise<unknown> => getCode(browser, schools.harbour, webMemberApp, { prompt: 'none' });
  await authorize();
  return authorize;
}
