import type { Bearer } from '../core/bearer/verify.ts';
import type { RegistrationExplanation } from '../core/clients/registered-metadata.ts';
import type { Core } from '../core/core.ts';
import type { Log } from '../core/log/log.ts';
import type { SignOuts } from '../core/connections/sign-outs.ts';
import type { Grants } from '../core/grants/grants.ts';
import type { Site } from '../host/school-platform.ts';
import type { InteractionOptions } from '../interaction/interaction-options.ts';
import type { Settings } from '../options/options.ts';
import type { Policies } from '../options/policies.ts';
import type { FindEvents } from '../pages/activity/events.ts';
import type { Tools } from '../pages/activity/sentences.ts';
import type { ConsentPreview } from '../pages/consent-preview.ts';
import type { AlwaysOpen } from '../pages/kit/always-sees.ts';
import type { ApplicationField } from '../pages/kit/application-field.ts';
import type { PagePaths } from '../pages/kit/console.ts';
import type { PageKit } from '../pages/kit/page-access.ts';
import type { Pages } from '../pages/kit/pages.ts';
import type { McpDescription } from '../plugin-contract/plugin.ts';

/** What the people of a school see and decide. The features that every campus has add theirs (`declare module`), and `campus.ts` makes them. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface School {}

/** What a campus is made from, each made once in `campus.ts`; that file has their order. */
export interface Parts {
  readonly settings: Settings;
  readonly policies: Policies;
  readonly log: Log;
  readonly core: Core;
  readonly pages: Pages;
  readonly signOuts: SignOuts;
  readonly school: School;
  readonly grants: Grants;
  readonly bearer: Bearer;
}

/** From what routes are made: the parts, and what pages share. */
export interface RouteParts extends Parts {
  /** From what sign-in and consent are made. */
  readonly interaction: InteractionOptions;
  readonly kit: PageKit;
  readonly paths: PagePaths;
  /** The tools. Absent if there are none. */
  readonly mcp: McpDescription | undefined;
  /** What Activity says of a call of a tool. */
  readonly tools: Tools;
  /** Absent if the host does not provide its log. */
  readonly findEvents: FindEvents | undefined;
  readonly open: AlwaysOpen;
  /** Whether apps get in that nobody has created an application for. */
  readonly openToApps: boolean;
  /** What features add to the form of an application. */
  readonly fields: readonly ApplicationField[];
  readonly preview: ConsentPreview;
  /** Absent if nobody can register here. */
  readonly explain: ((site: Site, body: unknown) => Promise<RegistrationExplanation>) | undefined;
}
