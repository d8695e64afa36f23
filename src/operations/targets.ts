/** What the operations about Bellhop act on. */
export const bellhopTarget = { kind: 'bellhop', name: 'Bellhop', labels: {} } as const;
