import type { ApplicationField } from '../pages/kit/application-field.ts';
import { signedOutUrisField, signOutsField } from './logout/form.ts';
import { keysField } from './private-key-jwt/form.ts';
import { pseudonymField } from './pseudonyms/form.ts';

/** The fields that features add to the form of an application, each for another member. */
export const featureFields: readonly ApplicationField[] = [
  keysField,
  signedOutUrisField,
  signOutsField,
  pseudonymField,
];
