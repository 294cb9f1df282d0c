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
 * What a consent page has to say and to ask. `site`, `member` and `client` have plain text. Every other text is `Html` in the language of the page,
 * in which names that others chose are isolated.
 */
export interface ConsentView<School extends Site = Site, Person extends Member = Member> extends Pick<
  PageView<School>,
  'site' | 'language' | 'direction'
> {
  /** The person who is asked. */
  readonly member: Person;
  /** Who asks, and where that is known from. The name is cut to 80 characters, without control and direction characters. */
  readonly client: ClientInfo;
  /** The logo of the client as a `data:` URL, if somebody has approved it. */
  readonly logo?: string | undefined;
  /** The question, for the `<h1>`. */
  readonly heading: Html;
  /** Why what was posted decides nothing. Show it first. Absent if nothing is wrong. */
  readonly problem?: Html | undefined;
  /** What the client wants, in one sentence. Absent if it cannot have anything. */
  readonly summary?: Html | undefined;
  /** Who the client is, as far as that is verified, and where it sends the person. */
  readonly facts: readonly { readonly name: Html; readonly value: Html }[];
  /** The most important first. */
  readonly warnings: readonly Html[];
  /** What rules and policies of the school say. */
  readonly rules: readonly Html[];
  /** What it asks for. Empty if it cannot have anything. */
  readonly permissions: readonly AskedPermission[];
  /**
   * A field set for each kind of thing to which the person can limit the client, which must be in the form as it is. Without it the form
   * decides nothing. Empty if there is none.
   */
  readonly limits: readonly Html[];
  /** What it sees without a permission. */
  readonly sees: readonly Html[];
  /** When the access ends, in seconds since the epoch. */
  readonly until: number;
  /** Where another person signs in. */
  readonly switchAccountUrl: string;
  /** Where the form goes, by POST, and its hidden fields, which must be on the page as they are. */
  readonly form: { readonly action: string; readonly fields: Html };
  /** The submit buttons, named `decision`. With `ask`, the school is asked to let the person connect it, and the page says so. */
  readonly decisions: readonly { readonly value: 'allow' | 'approve' | 'ask' | 'deny'; readonly text: Html }[];
}

/**
 * Returns a consent page, made with `html`, from `<main>` to `</main>`, with a form that has `form.fields` in it as they are and a checkbox named `scope`
 * for each permission that is not required. If it throws, takes longer than 10 seconds, leaves the fields out or returns a string, that is a fault, and the
 * built-in page is shown. What the form sends is checked as that of the built-in page is.
 */
export type ConsentTemplate<School extends Site = Site, Person extends Member = Member> = (
  view: ConsentView<School, Person>,
) => MaybePromise<Html>;
