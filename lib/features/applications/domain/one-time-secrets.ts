import { type KeyObject, randomBytes } from 'node:crypto';
import { type KeyRing, siteSecret } from '../../../core/keys/keys.ts';
import { members, type OneTimeSecretRecord, optional, serializeRecord, text } from '../../../records/codec.ts';
import type { RecordStore } from '../../../records/record-store.ts';
import type { Credentials } from './credentials.ts';
import { sealingKey, sealValue, unsealValue } from '../../../records/sealed-responses.ts';
import type { NewRecord } from '../../../records/record.ts';

interface SubmittedForm {
  readonly siteId: string;
  readonly memberId: string;
  /** A digest of what makes the rendering unique. It can stand in an address: without the person's session it opens nothing. */
  readonly form: string;
}

interface Reserved {
  readonly clientId: string;
  readonly credentials?: Credentials | undefined;
}

/** Secrets that wait, encrypted, for the page that shows them once. The store otherwise has digests of secrets only. */
export interface OneTimeSecrets {
  /** Every submission of a form gets what the first one made. `undefined` if that was so long ago that nothing waits. */
  reserve(form: SubmittedForm, make: () => Credentials): Promise<Reserved | undefined>;
  /** The credentials for the page: exactly one request gets them. */
  take(form: SubmittedForm): Promise<Credentials | undefined>;
}

const waitingSeconds = 5 * 60;

/** How long a form is remembered, in seconds: longer than any CSRF token is valid. */
const rememberedSeconds = 24 * 60 * 60;

const kind = 'OneTimeSecret';

function entry(id: string, ttl: number, record: OneTimeSecretRecord): NewRecord {
  return { kind, id, ttl, record: serializeRecord(kind, record) };
}

export function createOneTimeSecrets(store: RecordStore, keys: KeyRing): OneTimeSecrets {
  /** A record names what a form creates, and another one, which does not live as long, has the secret. */
  const find = async ({ siteId, form }: SubmittedForm) => {
    const id = (await store.find(siteId, kind, form))?.record.secret;
    const found = id === undefined ? undefined : await store.find(siteId, kind, id);
    return id !== undefined && found ? { id, found } : undefined;
  };

  const open = (form: SubmittedForm, { client_id: clientId, sealed }: OneTimeSecretRecord): Credentials | undefined => {
    if (sealed === undefined) return undefined;
    const opened = keys
      .shared()
      .cookies.map((secret) => unsealValue(keyOf(secret, form), sealed))
      .find((value) => value !== undefined);
    return opened === undefined
      ? undefined
      : { clientId, clientSecret: optional(members({ opened }, 'opened'), 'clientSecret', text) };
  };

  async function reserved(form: SubmittedForm): Promise<Reserved | undefined> {
    const { found } = (await find(form)) ?? {};
    return found && { clientId: found.record.client_id, credentials: open(form, found.record) };
  }

  return {
    async reserve(form, make) {
      const { siteId, form: id } = form;
      if (await store.find(siteId, kind, id)) return reserved(form);
      const { clientId, clientSecret } = make();
      const sealed = sealValue(keyOf(keys.shared().cookies[0] ?? '', form), { clientSecret });
      const secret = randomBytes(16).toString('base64url');
      // In this order: a form that is remembered has a secret, unless that has expired.
      await store.save(siteId, entry(secret, waitingSeconds, { client_id: clientId, sealed }));
      const remembered = entry(id, rememberedSeconds, { client_id: clientId, secret });
      if (!(await store.save(siteId, { ...remembered, replaces: null }))) return reserved(form);
      return { clientId, credentials: { clientId, clientSecret } };
    },
    async take(form) {
      const { id = '', found } = (await find(form)) ?? {};
      const credentials = found && open(form, found.record);
      if (!credentials) return undefined;
      // Each request writes another text: one that finds its own text written has won.
      const shown = { client_id: credentials.clientId, shown: randomBytes(9).toString('base64url') };
      const isFirst = await store.save(form.siteId, { ...entry(id, waitingSeconds, shown), replaces: found.text });
      return isFirst ? credentials : undefined;
    },
  };
}

/** The first cookie secret seals, all open: secrets can be rotated meanwhile. */
function keyOf(secret: string, { siteId, memberId, form }: SubmittedForm): KeyObject {
  const info = JSON.stringify(['campus-oidc one-time secret', memberId, form]);
  return sealingKey(siteSecret(secret, siteId, 'one-time secret'), siteId, info);
}
