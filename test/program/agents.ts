import { onTestFinished } from 'vitest';
import { z } from 'zod';

import { callProgram } from '../call-program.ts';
import { exampleRulebook } from './rulebook-text.ts';
import type { Message, Stage, StageOptions } from './stage.ts';
import { type AgentClient, connect2026, type ToolAnswer } from './mcp-clients.ts';

/** Keys of an agent as bellhop.yaml has them, next to its token. */
type AgentKeys = Readonly<Record<string, string | number>>;

export const incidents = 'C0INC42';

/** The example with these agents, each with the token `token-of-<name>`. All of them may read what holmes may read. */
export function withAgents(
  agents: Readonly<Record<string, AgentKeys>>,
  env: Readonly<Record<string, string>> = {},
): StageOptions {
  const names = Object.keys(agents);
  const lines = Object.entries(agents).map(([name, keys]) => {
    const written = Object.entries({ channel: incidents, ...keys }).map(([key, value]) => `${key}: ${value}`);
    return `  ${name}: { token: secret:${name}, ${written.join(', ')} }\n`;
  });
  const rulebook = exampleRulebook({})
    .replace(/^agents:\n {2}holmes.*\n/mu, `agents:\n${lines.join('')}`)
    .replace('agents: [holmes]', `agents: [${names.join(', ')}]`);
  const tokens = names.map((name): [string, string] => [
    `BELLHOP_SECRET_${name.toUpperCase()}`,
    `token-of-${name}`,
  ]);
  return { rulebook, env: { LOG_LEVEL: 'warn', ...Object.fromEntries(tokens), ...env } };
}

/** An agent of the stage, until the test ends. */
export async function agentOf({ botUrl }: Stage, name: string): Promise<AgentClient> {
  const agent = await connect2026(botUrl, `token-of-${name}`);
  onTestFinished(() => agent.close());
  return agent;
}

/** Waits for a message of this thread. */
export const inThread = (stage: Stage, ts: string, text: string): Promise<Message> =>
  stage.seen('U0ALICE', (message) => message['thread_ts'] === ts && message.text.includes(text), incidents);

const suggestionSchema = z.object({
  id: z.string(),
  state: z.string(),
  channel: z.string(),
  link: z.string().nullable(),
  expires_at: z.iso.datetime(),
});

/** Makes a suggestion, which must be accepted. */
export async function suggest(agent: AgentClient, command: string, reason = 'it does not answer') {
  const { structuredContent, isError, content } = await agent.call('suggest_change', { command, reason });
  if (isError) throw new Error(textOf({ content }));
  return suggestionSchema.parse(structuredContent);
}

export const textOf = ({ content }: Pick<ToolAnswer, 'content'>): string =>
  content.map(({ text }) => text).join('\n');

export async function statusOf(agent: AgentClient, id: string) {
  const { structuredContent } = await agent.call('request_status', { id });
  return suggestionSchema
    .extend({
      request_id: z.string().optional(),
      outcome: z.looseObject({ title: z.string() }).optional(),
      note: z.string().optional(),
    })
    .parse(structuredContent);
}

/** Messages about suggestions, oldest first. */
export const suggestionsIn = async (stage: Stage, channel = incidents): Promise<readonly Message[]> =>
  (await stage.messages('U0ALICE', channel)).filter(({ text }) => /\bagent [a-z]+ suggests/iu.test(text));

export const suggestionFor = (stage: Stage, words: string, channel = incidents): Promise<Message> =>
  stage.seen('U0ALICE', ({ text }) => text.endsWith(`suggests ${words}`), channel);

const entrySchema = z.looseObject({
  event: z.string(),
  actor: z.object({ team: z.string(), user: z.string() }).optional(),
  suggestion: z.object({ id: z.string(), agent: z.string() }).optional(),
  requestId: z.string().optional(),
  operation: z.string().optional(),
});

/** The whole log, as an auditor exports it. */
export async function exportedLog({ env }: Stage) {
  const { out } = await callProgram('audit', ['export'], env);
  return out
    .trim()
    .split('\n')
    .map((line) => entrySchema.parse(JSON.parse(line)));
}
