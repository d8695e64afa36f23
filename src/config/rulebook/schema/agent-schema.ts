import { z } from 'zod';

import { agentName, channel, duration, hour, second, secretReference } from './schema-parts.ts';

const mostAgents = 20;

const agent = z.strictObject({
  token: secretReference.describe(
    '`secret:name` of the secret that the agent sends as `Authorization: Bearer …`',
  ),
  channel: channel.describe('the channel, `C…`, for its suggestions'),
  suggestions: z.int().min(0).max(200).default(20).describe('how many suggestions it may make in an hour'),
  open: z.int().min(1).max(50).default(5).describe('how many of them may wait for a person at once'),
  expire_after: duration(second, 24 * hour, '1s to 24h')
    .prefault('15m')
    .describe('how long a suggestion waits for a person, `1s` to `24h`'),
});

export const agents = z
  .record(agentName, agent)
  .refine((all) => Object.keys(all).length <= mostAgents, { error: `has more than ${mostAgents} agents.` });
