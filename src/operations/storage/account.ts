/** The client's storage notifications as a whole. */
export const storageAccount = { kind: 'storage', name: 'storage notifications', labels: {} } as const;
