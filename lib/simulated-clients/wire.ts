import { type JsonMembers, parseObject } from '../kernel/json.ts';

/** A request of an app and its response. Secrets and tokens are left out. */
export interface Step {
  readonly request: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly sent: JsonMembers;
  readonly status: number;
  readonly received: JsonMembers;
}

/** A response, with its body as an object; empty if it is not one. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonMembers;
}

type SentBody = { readonly form: Readonly<Record<string, string>> } | { readonly json: JsonMembers };

interface Sending {
  readonly request: string;
  readonly url: string;
  /** A GET without it. */
  readonly body?: SentBody;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Wire {
  readonly steps: readonly Step[];
  send(sending: Sending): Promise<Answer>;
}

/** Ends a run: what happened, for a person to read. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export function createWire(fetchFrom: typeof fetch): Wire {
  const steps: Step[] = [];
  return {
    steps,
    async send({ request, url, body, headers = {} }) {
      const content = body && contentOf(body);
      const method = content ? 'POST' : 'GET';
      const response = await fetchFrom(url, {
        method,
        redirect: 'manual',
        headers: { accept: 'application/json', ...(content && { 'content-type': content.type }), ...headers },
        ...(content && { body: content.text }),
      });
      const { status, headers: answered } = response;
      const received = read(answered.get('content-type') ?? '', await response.text());
      const sent = withoutSecrets(content?.fields ?? {});
      steps.push({ request, method, url, sent, status, received: withoutSecrets(received) });
      return { status, headers: answered, body: received };
    },
  };
}

function contentOf(body: SentBody): { type: string; text: string; fields: JsonMembers } {
  if ('json' in body) return { type: 'application/json', text: JSON.stringify(body.json), fields: body.json };
  const text = new URLSearchParams(body.form).toString();
  return { type: 'application/x-www-form-urlencoded', text, fields: body.form };
}

/** MCP servers may answer with a stream of one event. */
function read(contentType: string, text: string): JsonMembers {
  if (!contentType.startsWith('text/event-stream')) return parseObject(text);
  const data = text.split('\n').filter((line) => line.startsWith('data:'));
  return parseObject(data.map((line) => line.slice(5)).join('\n'));
}

const secret = /^(?:access_token|refresh_token|id_token|client_secret|code|code_verifier)$/;

function withoutSecrets(json: JsonMembers): JsonMembers {
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, secret.test(name) ? '…' : value]));
}
