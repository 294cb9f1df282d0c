import type { OwnRequest } from '../applications/request.ts';
import type { Ending } from './news-row.ts';

/** What is new for a person, as a page shows it. */
export interface NewsItem {
  readonly id: string;
  /** `back`: what was approved is no longer approved. `again`: what ended can be connected again. */
  readonly kind: 'approved' | 'declined' | 'back' | 'again' | Ending;
  readonly clientName: string;
  readonly at: number;
  /** The answer is to this. @default it is about a connection */
  readonly request?: OwnRequest | undefined;
}
