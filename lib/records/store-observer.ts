/** Receives messages about the store's own actions. Each message becomes a fault. */
export type StoreObserver = (message: string, cause: unknown) => void;
