import { expect, it, onTestFinished } from 'vitest';

import { until } from '../../../until.ts';
import {
  agentOf,
  exportedLog,
  inThread,
  withAgents,
  statusOf,
  suggest,
  suggestionFor,
  suggestionsIn,
} from '../../../program/agents.ts';
import { setStage } from '../../../program/stage.ts';

it('an agent looks and suggests, Alice presses, Carol approves, and the log proves who did what', async () => {
  const stage = await setStage(withAgents({ holmes: {} }));
  onTestFinished(() => stage.close());
  const agent = await agentOf(stage, 'holmes');
  const ends = (id: string, state: string) => until(async () => (await statusOf(agent, id)).state === state);

  await agent.call('cdn_metrics', { names: ['5xx'] });
  const web = await suggest(agent, '/cloud reboot web-1', '5xx for ten minutes');
  const repeats = await Promise.all(
    Array.from({ length: 100 }, (_, at) => suggest(agent, '/cloud reboot web-1', `still, ${at}`)),
  );
  expect(new Set(repeats.map(({ id }) => id))).toEqual(new Set([web.id]));
  const message = await suggestionFor(stage, '/cloud reboot web-1');
  expect(await suggestionsIn(stage)).toHaveLength(1);
  expect(await stage.calls('rebootInstance')).toBe(0);
  await stage.press('U0ALICE', message, 'Reboot web-1…');
  const proposed = await inThread(stage, message.ts, 'web-1: proposed');
  expect(await stage.calls('rebootInstance')).toBe(0);
  await stage.press('U0ALICE', proposed, 'Reboot web-1');
  await ends(web.id, 'succeeded');

  const db = await suggest(agent, '/cloud reboot db-1', 'replication is stuck');
  const other = await suggestionFor(stage, '/cloud reboot db-1');
  await stage.press('U0ALICE', other, 'Reboot db-1…');
  const awaiting = await inThread(stage, other.ts, 'db-1: awaiting approval');
  await stage.press('U0ALICE', awaiting, 'Approve');
  expect((await statusOf(agent, db.id)).state).toBe('awaiting approval');
  expect(await stage.calls('rebootInstance')).toBe(1);
  await stage.press('U0CAROL', awaiting, 'Approve');
  await ends(db.id, 'succeeded');
  expect(await stage.calls('rebootInstance')).toBe(2);

  const entries = await exportedLog(stage);
  const done = async (id: string): Promise<readonly string[]> => {
    const { request_id: requestId } = await statusOf(agent, id);
    return entries
      .filter((entry) => entry.suggestion?.id === id || (requestId && entry.requestId === requestId))
      .filter(({ event }) => ['suggested', 'pressed', 'confirmed', 'approved'].includes(event))
      .map(({ event, actor }) => `${event} by ${actor?.user}`);
  };
  expect(await done(web.id)).toEqual([
    'suggested by agent:holmes',
    'pressed by U0ALICE',
    'confirmed by U0ALICE',
  ]);
  expect(await done(db.id)).toEqual([
    'suggested by agent:holmes',
    'pressed by U0ALICE',
    'approved by U0CAROL',
  ]);
  expect(entries.filter(({ event }) => event === 'read').map(({ actor }) => actor?.user)).toEqual([
    'agent:holmes',
  ]);
});
