import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { findTool } from '../../../src/features/agents/tools.ts';
import { holmes, openAgentStage } from './agent-stage.ts';

type AgentStage = Awaited<ReturnType<typeof openAgentStage>>;

async function call({ context }: AgentStage, name: string, given = {}, agent = holmes) {
  const tool = await findTool(context, agent, name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool.run(context, agent, given);
}

const readsIn = async ({ store }: AgentStage) =>
  (await store.audit({ limit: 50 }))
    .filter(({ event }) => event === 'read')
    .map(({ operation, outcome, count }) => [operation, outcome, count ?? 1])
    .toReversed();

describe('the reads of an agent', () => {
  it.each([500, 503, 408, 429])('are not repeated when the service answers %i', async (status) => {
    const stage = await openAgentStage();
    await stage.control('PUT', 'faults/listFloatingIps', { status, body: {}, times: 5 });
    await expect(call(stage, 'cloud_ips')).rejects.toBeInstanceOf(BellhopError);
    expect(await stage.sent('listFloatingIps')).toBe(1);
  });

  it('beyond an hour’s limit are refused until the first of them is an hour old', async () => {
    const stage = await openAgentStage();
    const few = { ...holmes, reads: 2 };
    await call(stage, 'cdn_capacity', {}, few);
    await stage.clock.advance(600_000);
    await call(stage, 'cdn_capacity', {}, few);
    await expect(call(stage, 'cdn_capacity', {}, few)).rejects.toThrow(
      'You made 2 reads in the last hour; the limit is 2 (“reads”). Try again at 2026-11-21T04:00:00.000Z, in 3000 s. Nothing was read.',
    );
    await call(stage, 'cdn_capacity', {}, { ...few, name: 'watson' }).catch(() => undefined);
    await stage.clock.advance(3_000_000);
    await call(stage, 'cdn_capacity', {}, few);
  });

  it('that are equal within a minute share an entry with their count', async () => {
    const stage = await openAgentStage();
    for (let at = 0; at < 4; at += 1) await call(stage, 'cdn_capacity');
    await call(stage, 'cdn_capacity', { country: ['DE'] });
    await stage.serve('listCapacity', {}, 400);
    await call(stage, 'cdn_capacity').catch(() => undefined);
    await stage.clock.advance(59_000);
    expect(await readsIn(stage)).toEqual([
      ['cdn.capacity', 'answered', 1],
      ['cdn.capacity', 'answered', 1],
      ['cdn.capacity', 'failed', 1],
    ]);
    await stage.clock.advance(2_000);
    await stage.context.backgroundTasks.drained(1_000);
    expect((await readsIn(stage)).at(-1)).toEqual(['cdn.capacity', 'answered', 3]);
    await call(stage, 'cdn_capacity');
    expect(await readsIn(stage)).toHaveLength(5);
    expect((await stage.report('/bellhop audit --reads')).tables).toBeDefined();
  });

  it('are all in the log when Bellhop stops', async () => {
    const stage = await openAgentStage();
    for (let at = 0; at < 3; at += 1) await call(stage, 'cdn_capacity');
    await stage.context.backgroundTasks.drained(1_000);
    expect(await readsIn(stage)).toEqual([
      ['cdn.capacity', 'answered', 1],
      ['cdn.capacity', 'answered', 2],
    ]);
  });
});
