import type { Store } from '../../lib/store.ts';
import { openStore } from './stores.ts';

/** The store of `UPGRADED_STORE`, as a host exports it for `campus-oidc store`. */
export const { store }: { readonly store: Store } = await openStore(process.env['UPGRADED_STORE'] ?? '');
