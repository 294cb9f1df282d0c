import { InvalidClientMetadata } from '../../kernel/errors.ts';

/** The school or the platform has blocked a client of which only the address is known: nothing is fetched for that. */
export class BlockedClient extends InvalidClientMetadata {
  readonly host: string;
  readonly from: 'school' | 'platform';
  constructor(description: string, host: string, from: 'school' | 'platform') {
    super(description);
    this.host = host;
    this.from = from;
  }
}
