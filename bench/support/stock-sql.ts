import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Pool } from 'pg';

/** The table of an ordinary adapter: one for all models, as the examples of the engine have it. */
export const ordinaryTable = `create table if not exists oidc_payload (id text not null, type text not null, payload jsonb not null,
  grant_id text, uid text, expires_at timestamptz, consumed_at timestamptz, primary key (id, type));
  create index if not exists oidc_payload_grant on oidc_payload (grant_id);
  create index if not exists oidc_payload_uid on oidc_payload (uid)`;

/** An ordinary adapter for SQL: each method is one statement. */
export class OrdinarySqlAdapter implements Adapter {
  readonly #pool: Pool;
  readonly #model: string;

  constructor(pool: Pool, model: string) {
    this.#pool = pool;
    this.#model = model;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const expires = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null;
    await this.#pool.query(
      `insert into oidc_payload (id, type, payload, grant_id, uid, expires_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (id, type) do update set payload = $3, grant_id = $4, uid = $5, expires_at = $6`,
      [id, this.#model, JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, expires],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const { rows } = await this.#pool.query(
      'select payload, expires_at, consumed_at from oidc_payload where id = $1 and type = $2',
      [id, this.#model],
    );
    const [row] = rows;
    if (!row || (row.expires_at !== null && row.expires_at < new Date())) return undefined;
    return { ...row.payload, ...(row.consumed_at && { consumed: true }) };
  }

  async consume(id: string): Promise<void> {
    await this.#pool.query('update oidc_payload set consumed_at = now() where id = $1 and type = $2', [
      id,
      this.#model,
    ]);
  }

  async destroy(id: string): Promise<void> {
    await this.#pool.query('delete from oidc_payload where id = $1 and type = $2', [id, this.#model]);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#pool.query('delete from oidc_payload where grant_id = $1', [grantId]);
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}
