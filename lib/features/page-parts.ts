/** What features draw on pages of the core, by what the core calls it. */
export { demandFields, demandLine, limitFields, limitLine, limitText } from './boundaries/page-part.ts';
export { pseudonymFields } from './pseudonyms/page-part.ts';
