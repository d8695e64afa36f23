import type { Clock } from '../clock.ts';
import type { AgentDrill } from '../drill-protocol.ts';

/** The app's URL for agents, `…/mcp`, and an agent's token. */
export interface AgentDoor {
  readonly url: string;
  readonly token: string;
}

/** An agent that investigates and suggests, for people who have none. It is an ordinary MCP client. */
export interface AgentSource {
  readonly current: AgentDrill;
  /**
   * Reads the metrics, suggests to reboot the instance and follows its state. Resolves to the problem, "" if there was
   * none.
   */
  suggest(instance: string): Promise<string>;
  close(): void;
}

interface AgentParts {
  readonly door: AgentDoor | undefined;
  readonly clock: Clock;
  /** Called after every step. */
  readonly announce: () => void;
}

/** The pause between two polls of a suggestion. */
const LOOK_EVERY_MS = 1_000;
const MOST_STEPS = 12;
/** The final states. */
const ENDS = new Set(['dismissed', 'expired', 'succeeded', 'failed', 'unknown', 'cancelled', 'refused']);

type Step = AgentDrill['steps'][number];

export function createAgent({ door, clock, announce }: AgentParts): AgentSource {
  let steps: readonly Step[] = [];
  let run = 0;
  const say = (text: string): void => {
    steps = [...steps, { at: clock.now(), text }].slice(-MOST_STEPS);
    announce();
  };

  /** Follows a suggestion until it has ended, or another is made. */
  async function look(agent: AgentDoor, id: string, of: number, known: string): Promise<void> {
    if (run !== of) return;
    const { state, outcome } = await statusOf(agent, id).catch(() => ({ state: known, outcome: '' }));
    if (run !== of) return;
    if (state !== known) say(`Status: ${state}${outcome}`);
    if (!ENDS.has(state)) clock.at(clock.now() + LOOK_EVERY_MS, () => void look(agent, id, of, state));
  }

  async function investigate(agent: AgentDoor, instance: string, of: number): Promise<void> {
    const metrics = await callTool(agent, 'cdn_metrics', { names: ['5xx'] });
    const seen = metrics.isError
      ? metrics.text
      : textAt(metrics.data, 'headline') || textAt(metrics.data, 'title');
    say(`Reads cdn_metrics: ${seen}`);
    const { data, text, isError } = await callTool(agent, 'suggest_change', {
      command: `/cloud reboot ${instance}`,
      reason: `${instance} has not responded for five minutes, and edge errors began when it stopped. A reboot brought it back last week.`,
      evidence: [`CDN errors in the last hour: ${seen}`, `https://graphs.example.com/d/${instance}`],
    });
    if (isError) throw new Error(text);
    const state = textAt(data, 'state');
    say(`Suggests /cloud reboot ${instance}: ${state}`);
    clock.at(clock.now() + LOOK_EVERY_MS, () => void look(agent, textAt(data, 'id'), of, state));
  }

  return {
    get current() {
      return { available: door !== undefined, steps: [...steps] };
    },
    async suggest(instance) {
      if (!door) return 'This workspace was started without an agent.';
      run += 1;
      steps = [];
      try {
        await investigate(door, instance, run);
        return '';
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        say(`Refused: ${problem}`);
        return problem;
      }
    },
    close: () => {
      run += 1;
    },
  };
}

async function statusOf(agent: AgentDoor, id: string) {
  const { data, text } = await callTool(agent, 'request_status', { id });
  return { state: textAt(data, 'state') || text, outcome: outcomeIn(data) };
}

interface ToolAnswer {
  readonly data: unknown;
  readonly text: string;
  readonly isError: boolean;
}

/** The client is loaded with the first drill: a workspace without one needs none. @throws Error if the app refuses the agent */
async function callTool({ url, token }: AgentDoor, name: string, given: object): Promise<ToolAnswer> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'drill', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  try {
    const answer = await client.callTool({ name, arguments: { ...given } });
    const text = answer.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    return { data: answer.structuredContent, text, isError: answer.isError === true };
  } finally {
    await client.close();
  }
}

function textAt(data: unknown, name: string): string {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
  return typeof value === 'string' ? value : '';
}

function outcomeIn(data: unknown): string {
  const outcome: unknown =
    typeof data === 'object' && data !== null ? Reflect.get(data, 'outcome') : undefined;
  const title = textAt(outcome, 'title') || textAt(data, 'error');
  return title === '' ? '' : ` (${title})`;
}
