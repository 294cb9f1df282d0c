import type { ScopeCatalogue } from '../scopes/scopes.ts';
import type { Core } from '../core.ts';
import type { ConsentOptions } from './consent.ts';
import type { ClientActive, NoteClient, RedemptionOptions } from './redemption.ts';

/** How grants come about and what is redeemed for them. */
export interface Grants {
  readonly consenting: ConsentOptions;
  readonly redeeming: RedemptionOptions;
}

/** What is noted of clients. */
interface ClientNotes {
  readonly noteClient: NoteClient;
  readonly clientActive: ClientActive;
}

export function createGrants(
  { catalogue }: { readonly catalogue: ScopeCatalogue },
  core: Core,
  { noteClient, clientActive }: ClientNotes,
): Grants {
  return {
    consenting: { core, catalogue, noteClient },
    redeeming: { core, clientActive },
  };
}
