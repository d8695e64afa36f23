/** What the operations about Bellhop act on. */
export const bellhopTarget = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;

/** The CDN is one account: it has no parts to be told apart by labels. */
export const cdnAccount = { kind: 'cdn', name: 'CDN account', labels: {} } as const;

/** The client's storage notifications as a whole. */
export const storageAccount = { kind: 'storage', name: 'storage notifications', labels: {} } as const;
