import type { Scope, ScopeAccess, ScopeMark } from '../../core/scopes/scopes.ts';
import type { ClientInfo } from '../../core/clients/client.ts';
import type { Html } from './markup.ts';
import type { PageView } from './page-template.ts';
import type { MaybePromise, Member, Site } from '../../host/school-platform.ts';

/** Something that a client asks for. */
export interface AskedPermission {
  readonly scope: Scope;
  /** What it permits. */
  readonly text: Html;
  /** What it is about: permissions of one area belong together. */
  readonly area: Html;
  /** Whether it changes data, reads data, or says who the person is. */
  readonly access: ScopeAccess;
  /** Whether it is allowed with any other, so that it needs no checkbox. */
  readonly required: boolean;
  /** Whether to tick it: an unverified app gets nothing that changes data, and nobody what was refused before, unless the person ticks it. */
  readonly ticked: boolean;
  /** Whether it needs the approval that the decision `approve` gives. */
  readonly approval: boolean;
  /** What the person decided about it the last time. Absent if they did not. */
  readonly earlier?: 'allowed' | 'declined' | undefined;
  /** What to mark beside it. */
  readonly marks: readonly ScopeMark[];
}

/**
 * The contents of a consent page. `site`, `member` and `client` have plain text. Every other text is `Html` in the language of the page,
 * with isolated foreign names.
 */
export interface ConsentView<School extends Site = Site, Person extends Member = Member> extends Pick<
  PageView<School>,
  'site' | 'language' | 'direction'
> {
  /** The person who is asked. */
  readonly member: Person;
  /** The client and the source of its metadata. The name is cut to 80 characters, without control and direction characters. */
  readonly client: ClientInfo;
  /** The logo of the client as a `data:` URL, if it is approved. */
  readonly logo?: string | undefined;
  /** The question, for the `<h1>`. */
  readonly heading: Html;
  /** The reason why the posted form was not accepted. Show it first. Absent if nothing is wrong. */
  readonly problem?: Html | undefined;
  /** A sentence about the client's request. Absent if it cannot have anything. */
  readonly summary?: Html | undefined;
  /** The verified facts about the client, and the place to which it sends the person. */
  readonly facts: readonly { readonly name: Html; readonly value: Html }[];
  /** The most important first. */
  readonly warnings: readonly Html[];
  /** The texts of rules and policies. */
  readonly rules: readonly Html[];
  /** The requested permissions. Empty if it cannot have anything. */
  readonly permissions: readonly AskedPermission[];
  /**
   * A field set for each type of limit that the person can set. Put it into the form unchanged. Without it, the form has no effect. Empty
   * without limits.
   */
  readonly limits: readonly Html[];
  /** The data that it sees without a permission. */
  readonly sees: readonly Html[];
  /** The time when the access ends, in seconds since the epoch. */
  readonly until: number;
  /** The address where another person can sign in. */
  readonly switchAccountUrl: string;
  /** The address of the form, for POST, and its hidden fields. Put them on the page unchanged. */
  readonly form: { readonly action: string; readonly fields: Html };
  /** The submit buttons, named `decision`. `ask` sends the school a request to let the person connect it, and the page says so. */
  readonly decisions: readonly { readonly value: 'allow' | 'approve' | 'ask' | 'deny'; readonly text: Html }[];
}

/**
 * Returns a consent page, made with `html`, from `<main>` to `</main>`, with a form. The form has `form.fields` unchanged, and a checkbox
 * named `scope` for each permission that is not required. If the function throws, takes longer than 10 seconds, omits the fields or returns
 * a string, you get a fault, and the built-in page is shown. The posted form is checked like the form of the built-in page.
 */
export type ConsentTemplate<School extends Site = Site, Person extends Member = Member> = (
  view: ConsentView<School, Person>,
) => MaybePromise<Html>;
