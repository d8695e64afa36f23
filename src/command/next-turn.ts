/** Lets everything else of the event loop that is ready go first. */
export const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
