/** Receives what a store does on its own. Each message becomes a fault. */
export type StoreObserver = (message: string, cause: unknown) => void;
