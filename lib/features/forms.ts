import type { ApplicationField } from '../pages/kit/application-field.ts';
import { keysField } from './private-key-jwt/form.ts';

/** The fields that features add to the form of an application, each for another member. */
export const featureFields: readonly ApplicationField[] = [keysField];
