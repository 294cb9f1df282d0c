import type { ApplicationInput } from '../../core/applications/application.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Html, Translator } from './markup.ts';

/** A member of an application that administrators enter in a field of a feature. */
export type EnteredMember = 'publicKeys';

/** What stands around the input of a field. */
export interface AroundInput {
  /** What is wrong with what was entered. */
  readonly problems: Html | false;
  /** The attributes that lead to the hint, and to the problems. */
  readonly aria: Html;
}

/** A field that a feature adds to the form of an application. */
export interface ApplicationField {
  readonly member: EnteredMember;
  /** The `name` and `id` of its input. */
  readonly name: string;
  readonly label: TextKey;
  readonly problems: { readonly empty: TextKey; readonly unusable: TextKey };
  /** What pages say of an application with this member, which has it in place of a secret. */
  readonly inPlaceOfSecret: { readonly issued: TextKey; readonly examples: TextKey; readonly request: TextKey };
  /** What the review of a metadata document says if nothing else has changed. */
  readonly changed: TextKey;
  readonly field: (t: Translator, entered: string, around: AroundInput) => Html;
  /** What an application has, as it is entered. */
  readonly shown: (application: Pick<ApplicationInput, EnteredMember>) => string | undefined;
  /** What was entered. A value that is wrong is kept, so that the check of the application finds it. */
  readonly read: (entered: string) => Pick<ApplicationInput, EnteredMember>;
}
