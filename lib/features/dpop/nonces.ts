import { hkdfSync } from 'node:crypto';
import { epochSeconds } from '../../kernel/clock.ts';
import { sameText } from '../../kernel/crypto.ts';

/** Seconds of a step. The engine has the same. */
const step = 60;

/** How many steps before and after the current one are valid. */
const around = 2;

/** The secret of the nonces of processes that share a secret for cookies. */
export function nonceSecret(cookieSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', cookieSecret, '', 'campus-oidc DPoP nonces', 32));
}

/**
 * Nonces that no store has: each is made of a secret and a minute. They are those of the engine, since a client keeps one nonce for each origin,
 * and the token endpoint is at the same origin as what its tokens are for. RFC 9449 section 8.
 */
export class Nonces {
  readonly #secret: Buffer;
  #minute = -1;
  #values: readonly string[] = [];

  constructor(secret: Buffer) {
    this.#secret = secret;
  }

  /** The one to use from now on. */
  get newest(): string {
    return this.#current()[around + 1] ?? '';
  }

  /** Until when this one is valid, in seconds since the epoch; `undefined` for one that is not. */
  validUntil(nonce: string): number | undefined {
    const index = this.#current().findIndex((each) => sameText(each, nonce));
    return index < 0 ? undefined : (this.#minute + index + 1) * step;
  }

  #current(): readonly string[] {
    const minute = Math.floor(epochSeconds() / step);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#values = Array.from({ length: 2 * around + 1 }, (_, i) => this.#nonceOf(minute - around + i));
    }
    return this.#values;
  }

  #nonceOf(minute: number): string {
    const salt = Buffer.alloc(8);
    salt.writeBigUInt64BE(BigInt(minute));
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, 'DPoP', 32)).toString('base64url');
  }
}
