import type { Context } from 'koa';
import type { Site } from '../host/school-platform.ts';

export interface RouteCall {
  readonly ctx: Context;
  readonly site: Site;
  /** The value of `:id` in the path. */
  readonly id: string;
}

export type RouteMethod = 'GET' | 'POST';

export type RouteKind = 'static' | 'api' | 'page';

export interface Route {
  /** An exact path, or one that ends in `/:id`. */
  readonly path: string;
  /** Whether it is also served with a slash at its end: people paste addresses with one. @default false */
  readonly atSlash?: boolean | undefined;
  readonly methods: readonly RouteMethod[];
  /** `static`: public and cacheable; `api`: JSON, for scripts of any origin, never stored; `page`: for a browser. */
  readonly kind: RouteKind;
  /** Only for an `api`: whose scripts may call it, besides the school's own; others get 403. @default every origin */
  readonly origins?: readonly string[] | undefined;
  /**
   * Whether a route that is not an `api`, or only its `POST`, is also served at former origins of a school.
   * @default false, the request is sent to the current one
   */
  readonly atFormerOrigins?: true | 'POST' | undefined;
  /** Only for a page that decides nothing: whether pages of other origins may post forms to it. @default false, they get 400 */
  readonly foreignForms?: true | undefined;
  /**
   * Only for a page: whether a GET changes something, or issues a code. A HEAD then gets the headers of a page, and a browser that fetches ahead
   * of the person 503.
   *
   * @default false
   */
  readonly acts?: true | undefined;
  readonly handle: (call: RouteCall) => void | Promise<void>;
  /** What a GET without a token gets where only a POST is served: apps ask so how to sign in. @default 405 */
  readonly challenge?: ((call: RouteCall) => void) | undefined;
  /** What a browser gets that opens the address of a route that is not a page. @default what every caller gets */
  readonly browserPage?: ((call: RouteCall) => Promise<void>) | undefined;
}
