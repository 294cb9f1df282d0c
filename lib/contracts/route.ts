import type { Context } from 'koa';
import type { Site } from './platform.ts';

/** One request to one of our routes. */
export interface RouteCall {
  readonly ctx: Context;
  readonly site: Site;
  /** What stood in the place of `:id`. */
  readonly id: string;
}

/** One row of the route table. */
export interface Route {
  /** An exact path, or one that ends in `/:id`. */
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  /** `document`: public and cacheable; `api`: JSON, for scripts of any origin, never kept; `page`: for a browser. */
  readonly kind: 'document' | 'api' | 'page';
  /**
   * The origins whose scripts may call it, beside the site's own; a request of another gets 403. Of an `api` only.
   *
   * @default every origin
   */
  readonly origins?: readonly string[] | undefined;
  readonly handle: (call: RouteCall) => void | Promise<void>;
}
