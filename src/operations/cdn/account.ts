/** The CDN is one account: it has no parts to be told apart by labels. */
export const cdnAccount = { kind: 'cdn', name: 'CDN account', labels: {} } as const;
