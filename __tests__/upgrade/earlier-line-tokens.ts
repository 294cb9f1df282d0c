import { randomBytes } from 'node:crypto';
import type * as ofThisRelease from '../../lib/records/line-tokens.ts';

/** The release before this one does not know lines: its refresh tokens are 43 random characters, and it finds no other one. */
export const isLineToken: typeof ofThisRelease.isLineToken = () => false;

export const idOfLineToken: typeof ofThisRelease.idOfLineToken = () => undefined;

export const expiryOfLineToken: typeof ofThisRelease.expiryOfLineToken = () => Infinity;

export const nextLineToken: typeof ofThisRelease.nextLineToken = () => randomBytes(32).toString('base64url');
