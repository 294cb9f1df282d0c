import { parameterLimits, queryLimit } from '../../engine/parameter-limits.ts';
import { paths } from '../../http/paths.ts';
import { adviceOn, answered } from './advice.ts';
import { errorProblem } from './endpoints.ts';
import { type Check, type Exam, verdictOn } from './exam.ts';

const sizesFix =
  'let the proxy pass a request line and response headers of 16 KiB (nginx: large_client_header_buffers 4 16k, proxy_buffer_size 16k, proxy_buffers 8 16k); docs/operate/production.md has others';

/** Whether the longest authorization request arrives: proxies have a limit for its line. */
export async function* longRequestChecks({ probe }: Exam): AsyncGenerator<Check> {
  const asked = new URLSearchParams({ client_id: 'doctor-of-campus-oidc', state: '' }).toString();
  const hint = `&id_token_hint=${'x'.repeat(parameterLimits.id_token_hint)}`;
  const state = 'x'.repeat(queryLimit - asked.length - '&id_token_hint='.length);
  const answer = await probe(`${paths.authorize}?${asked}${state}${hint}`, { headers: { accept: 'application/json' } });
  const wrong = errorProblem(answer, [400]);
  const thing = 'the longest authorization request';
  yield verdictOn(thing, 'long-request', wrong, 'arrives', adviceOn(answer, sizesFix));
}

/** Whether the longest `state` comes back to an application: proxies have a limit for headers of a response. */
export async function longStateCheck(
  { probe }: Exam,
  client: { readonly client_id: string; readonly redirect_uri: string },
): Promise<Check> {
  // Three characters each in an address.
  const state = '"'.repeat(parameterLimits.state);
  // An error that goes to the application. Nothing is stored for it.
  const query = new URLSearchParams({ ...client, response_type: 'none-of-them', state });
  const answer = await probe(`${paths.authorize}?${query.toString()}`);
  const returned = URL.parse(answer.headers.get('location') ?? '')?.searchParams.get('state');
  const thing = `a state of ${state.length} characters`;
  const wrong = returned !== state && `${answered(answer)}, and does not lead back to the application`;
  return verdictOn(thing, 'long-state', wrong, 'comes back to an application', adviceOn(answer, sizesFix));
}
