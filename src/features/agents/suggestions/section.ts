import { z } from 'zod';

import type { Finding } from '../../../model/rulebook/finding.ts';
import { nameOfSecret } from '../../../model/rulebook/rulebook.ts';
import {
  channel,
  duration,
  hour,
  matching,
  second,
  secretReference,
  type Written,
} from '../../../model/rulebook/schema-parts.ts';
import type { Fitting } from '../../../model/rulebook/schema.ts';
import { ownSection, type RatedFinding, type Surroundings } from '../../../model/section.ts';

const maxAgents = 20;

/** The name is part of an id such as `agent:holmes`, which the audit log shows. */
const agentName = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/u,
  'must be at most 40 lower-case letters, digits and -.',
);

const agent = z
  .strictObject({
    token: secretReference.describe('`secret:name`, sent by the agent as `Authorization: Bearer …`'),
    channel: channel.describe('channel, `C…`, for its suggestions'),
    suggestions: z
      .int()
      .min(0)
      .max(200)
      .default(20)
      .describe('how many suggestions it may make in an hour, at most 200'),
    reads: z
      .int()
      .min(0)
      .max(20_000)
      .default(1000)
      .describe('how many reads it may make in an hour, at most 20000, on each replica'),
    open: z
      .int()
      .min(1)
      .max(50)
      .default(5)
      .describe('how many suggestions may wait for a person at once, at most 50'),
    expire_after: duration(second, 24 * hour, '1s to 24h')
      .prefault('15m')
      .describe('how long a suggestion waits for a person, `1s` to `24h`'),
  })
  .transform(({ expire_after: expireAfterMs, ...rest }) => ({ ...rest, expireAfterMs }));

const agents = z
  .record(agentName, agent)
  .refine((all) => Object.keys(all).length <= maxAgents, { error: `has more than ${maxAgents} agents.` });

/** A program that runs reads and suggests changes through `POST /mcp`. */
export type Agent = Written<typeof agent>;
export type Agents = Readonly<Record<string, Agent>>;

export const agentsSection = ownSection('agents', {
  within: 'file',
  after: 'announce',
  keys: {
    agents: agents
      .default({})
      .describe('[agents](agents.md) that read and suggest changes at `POST /mcp`, at most 20'),
  },
  value: (read): Agents => read.agents,
  mistakes: (read) => tokenMistakes(read.agents),
  secrets: (listed) =>
    Object.entries(listed).map(([name, { token }]) => ({
      path: ['agents', name, 'token'],
      reference: token,
      without: 'the agent is always rejected',
      essential: true,
    })),
  warnings: (listed, _, around) => agentsWithOneToken(listed, around),
});

/** The token identifies the agent, so two agents can't share one. */
function* tokenMistakes(listed: Fitting<Agents> = {}): Generator<Finding> {
  const owner = new Map<string, string>();
  for (const [name, { token } = {}] of Object.entries(listed)) {
    if (!token) continue;
    const other = owner.getOrInsert(token, name);
    if (other !== name)
      yield {
        path: ['agents', name, 'token'],
        text: `is already the token of agent “${other}”. Give each agent its own token.`,
      };
  }
}

const agentsWithOneToken = (
  listed: Agents,
  { alikeSecrets: alike = [] }: Surroundings,
): readonly RatedFinding[] =>
  Object.entries(listed).flatMap(([name, { token }], index, all): readonly RatedFinding[] => {
    const same = new Set(alike.filter((names) => names.includes(nameOfSecret(token) ?? '')).flat());
    const other = all.slice(0, index).find(([, one]) => same.has(nameOfSecret(one.token) ?? ''));
    if (!other) return [];
    const text = `shares a value with the token of the agent “${other[0]}”. Give each agent its own token.`;
    return [{ severity: 'error', path: ['agents', name, 'token'], text }];
  });
