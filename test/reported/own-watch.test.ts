import { describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { follow } from '../rollouts/rolling.ts';
import { openOwnStage } from './own-stage.ts';
import { change } from './balancers.ts';

const brokers = (fault: string) =>
  openOwnStage({
    file: 'broker.ts',
    yaml: `targets:
  node:
    one: { labels: { tier: mq, fault: '${fault}' } }
    two: { labels: { tier: mq, fault: '${fault}' } }
    three: { labels: { tier: mq, fault: '${fault}' } }`,
  });

async function rollingNodes(fault: string) {
  const stage = await brokers(fault);
  const request = await stage.propose('alice', '/broker restart --each tier=mq --pause 1s');
  await stage.click('alice', request, 'confirm');
  return { stage, rollout: follow(stage, request.id) };
}

describe('a callback of watch that throws', () => {
  it('decides no outcome of a single change: progress, words and there have defaults, and a warning each', async () => {
    const stage = await brokers('progress');
    const ended = await change(stage, '/broker restart one');
    expect(ended.state).toBe('succeeded');
    expect(ended.outcome?.error).toBeUndefined();
    await stage.clock.advance(3000);
    await sweep(stage.context);
    await stage.context.backgroundTasks.drained(0);
    await expect.poll(() => [...stage.faults]).toContain('caught watch.progress');
  });

  it('pauses a rollout with the reason, at once', async () => {
    const { stage, rollout } = await rollingNodes('progress');
    expect(await rollout.until(/paused/u, 10)).toBe('paused: one succeeded, two, three');
    expect((await rollout.now()).rollout?.paused?.why).toBe(
      "watch.progress of broker.restart is broken: Cannot read properties of undefined (reading 'progress'). Fix its file. The log says where.",
    );
    await rollout.press('stop');
    expect(await rollout.summary()).toBe('stopped: one succeeded, two, three');
    expect(stage.faults).toContain('caught watch.progress');
  });
});

describe('watch.answered', () => {
  it('shows that a target was restarted, so that a rollout continues', async () => {
    const { stage, rollout } = await rollingNodes('none');
    expect(await rollout.until(/done/u, 120)).toBe('done: one succeeded, two succeeded, three succeeded');
    expect(stage.faults).toContain('caught watch.words');
  });
});

describe('Stop', () => {
  it('is looked at before the health of the last target', async () => {
    const { rollout } = await rollingNodes('none');
    await rollout.until(/one succeeded/u);
    await rollout.press('stop');
    expect(await rollout.until(/stopped/u, 4)).toBe('stopped: one succeeded, two, three');
  });
});
