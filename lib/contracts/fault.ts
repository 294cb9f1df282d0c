/** Reports a fault, with its cause, before the caller gets 500 or 503. */
export type OnFault = (message: string, cause: unknown) => void;
