/** What the operations about Bellhop act on. */
export const itself = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;
