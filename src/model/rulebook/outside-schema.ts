import { z } from 'zod';

import { agentName, channel, duration, hour, oneOrMore, second, secretReference } from './schema-parts.ts';

const most = 8;

export const auditSection = z.strictObject({
  key: oneOrMore(secretReference)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe(
      '`secret:name` of the [signing key](reliability.md#the-key), or several while you replace it; read at start; default: one in `DATA_DIR`, for one replica only',
    ),
});

const maxAgents = 20;

export const agent = z
  .strictObject({
    token: secretReference.describe('`secret:name`, sent by the agent as `Authorization: Bearer …`'),
    channel: channel.describe('channel, `C…`, for its suggestions'),
    suggestions: z.int().min(0).max(200).default(20).describe('how many it may make in an hour, at most 200'),
    reads: z
      .int()
      .min(0)
      .max(20_000)
      .default(1000)
      .describe('how many reads it may make in an hour, at most 20000, on each replica'),
    open: z.int().min(1).max(50).default(5).describe('how many may wait for a person at once, at most 50'),
    expire_after: duration(second, 24 * hour, '1s to 24h')
      .prefault('15m')
      .describe('how long a suggestion waits for a person, `1s` to `24h`'),
  })
  .transform(({ expire_after: expireAfterMs, ...rest }) => ({ ...rest, expireAfterMs }));

export const agents = z
  .record(agentName, agent)
  .refine((all) => Object.keys(all).length <= maxAgents, { error: `has more than ${maxAgents} agents.` });
