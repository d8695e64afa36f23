/** The bot, as issuers of the tests know it. */
export const client = { id: 'bellhop', secret: 'client-secret-of-the-stage' } as const;
