import type { ClientProperties } from '../../core/enabled/client-member.ts';
import type { ClientAudience } from '../../core/clients/client.ts';
import type { Scope } from '../../core/scopes/scopes.ts';
import type { Enabled } from '../../core/enabled/enabled.ts';
import type { TextKey } from '../../i18n/texts.ts';
import type { Html, Translator } from './markup.ts';
import type { PublicKeys } from '../../core/keys/public-keys.ts';

/** What administrators enter in the fields of features. */
export interface EnteredMembers extends ClientProperties {
  readonly publicKeys?: PublicKeys | undefined;
}

export type EnteredMember = keyof EnteredMembers;

/** What a page with such fields is written with. */
export interface FormTranslator extends Translator {
  /** What features add to the form of an application. */
  readonly fields: readonly ApplicationField[];
}

/** What a form is for. */
export interface ApplicationForm {
  readonly enabled: Enabled;
  readonly audience: ClientAudience;
  /** Whether it is for a sign-in client. */
  readonly isSignIn: boolean;
  /** What is stored. @default it is for a new application */
  readonly before?: EnteredMembers | undefined;
}

/** What stands around the input of a field. */
export interface AroundInput {
  /** What is wrong with what was entered. */
  readonly problems: Html | false;
  /** The attributes that lead to the hint, and to the problems. */
  readonly aria: Html;
}

/** What pages say where an application has something else than a secret. */
export interface InPlaceOfSecret {
  readonly issued: TextKey;
  readonly examples: TextKey;
  readonly request: TextKey;
}

/** A field that a feature adds to the form of an application. */
export interface ApplicationField {
  readonly member: EnteredMember;
  /** The `name` and `id` of its input. */
  readonly name: string;
  readonly label: TextKey;
  /** What is wrong with a value; `{value}` is the one of a list. `scope`: a permission that an application with this member cannot have. */
  readonly problems: {
    readonly unusable: TextKey;
    readonly empty?: TextKey;
    readonly many?: TextKey;
    readonly scope?: TextKey;
  };
  /** What pages say of an application that has this in place of a secret: whether it has it never changes. */
  readonly inPlaceOfSecret?: InPlaceOfSecret;
  /** What administrators are asked before a change that ends connections. @default a change ends none */
  readonly ends?: { readonly title: TextKey; readonly text: (entered: string) => TextKey };
  /** What the review of a metadata document says if nothing else has changed. @default no document has it */
  readonly changed?: TextKey;
  /** Whether a form has it. What a form does not have stays as it is. */
  readonly isIn: (form: ApplicationForm) => boolean;
  readonly field: (t: Translator, entered: string, around: AroundInput) => Html;
  /** What a permission is where this is entered, in place of its own text. @default as in any application */
  readonly permission?: (scope: Scope) => TextKey | undefined;
  /** In place of what is entered, where people compare it. @default each line as it is */
  readonly said?: TextKey;
  /** What an application has, as it is entered. */
  readonly shown: (application: EnteredMembers) => string | undefined;
  /** What was entered. A value that is wrong is kept, so that the check of the application finds it. */
  readonly read: (entered: string) => EnteredMembers;
}
