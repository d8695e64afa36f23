// An operation as a team writes it for a queue in Redis 7, which speaks RESP over a plain socket.
import { notSent, operation, z } from 'bellhop';

import { say } from './redis-client.ts';

export const flush = operation({
  name: 'queue.flush',
  summary: 'Empty a queue.',
  risk: 'destructive',
  input: z.strictObject({
    queue: z.string().max(60).describe('The queue.').meta({ positional: true, target: 'queue' }),
    how: z.string().max(40).describe('What happens.').meta({ positional: true }),
  }),
  examples: ['/queue flush mail closed'],
  run: async ({ how }, { target, http, secret }) => {
    await say(String(target.settings['url']), 'DEL mail');
    if (how === 'says') throw notSent('The queue was empty.');
    if (how === 'no-secret') return secret('nothing-of-this-name');
    return how === 'closed'
      ? http(String(target.settings['closed'])).send('POST', '/200')
      : http(String(target.settings['url'])).send('POST', '/409');
  },
  report: (_output, { target }) => ({ title: `${target.name} is empty` }),
});
