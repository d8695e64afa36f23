import { beforeEach, describe, expect, it } from 'vitest';

import { settleByHand } from '../../src/request/outcome/settle-by-hand.ts';
import type { Extension, Freeze } from '../../src/model/rulebook/rulebook.ts';
import { placeIn } from '../../src/model/records/whole.ts';
import { sweep } from '../due/sweep.ts';
import { openStage, type ServiceStage } from '../operations/stage.ts';
import { alice, bob, carol } from '../people.ts';
import { click, loseNextAnswer, proposed, reboots, rolling, stageWithPolicy } from './rolling.ts';

const hourMs = 60 * 60_000;

describe('a rollout', () => {
  it('changes one target after another: the next starts once the last one is back and the pause is over', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage);
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 succeeded, web-3 succeeded');
    expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
    const [first, second, third] = await rollout.singles();
    // A reboot takes four seconds there, and the pause is five.
    for (const [one, next] of [
      [first, second],
      [second, third],
    ]) {
      const between = (next?.startedAt ?? 0) - (one?.startedAt ?? 0);
      expect(between).toBeGreaterThanOrEqual(9_000);
      expect(between).toBeLessThanOrEqual(25_000);
    }
  });

  it('sends each change under an id of its own, whatever command its driver continues from', async () => {
    const stage = await openStage();
    const one = stage.another();
    Object.assign(one, { ids: { ...one.ids, correlation: () => 'of the command' } });
    const rollout = await rolling(stage, undefined, one);
    await rollout.until(/done/u);
    const sent = (await rollout.singles()).map(({ correlationId }) => correlationId);
    expect(new Set(sent).size).toBe(3);
  });

  it('shows all of its list before it is confirmed, and is one open request', async () => {
    const stage = await openStage();
    const request = await proposed(stage);
    expect(request.state).toBe('proposed');
    expect(request.target.name).toBe('web-1, web-2 and web-3');
    expect(request.words).toBe('/cloud reboot --each tier=web --pause 5s');
    expect(request.preview.map(({ label }) => label)).toEqual(['web-1', 'web-2', 'web-3', 'Effect']);
    expect(await stage.sent('rebootInstance')).toBe(0);
  });

  it.each<[extensions: readonly Extension[]]>([
    [['instance-read']],
    [['tasks']],
    [['instance-read', 'tasks']],
  ])('can tell by %j that a target is back, and continues within 25 s', async (extensions) => {
    const stage = await openStage({ extensions });
    const rollout = await rolling(stage);
    await rollout.until(/done/u, 90);
    const singles = await rollout.singles();
    const gaps = singles.slice(1).map((one, at) => (one.startedAt ?? 0) - (singles[at]?.startedAt ?? 0));
    for (const gap of gaps) {
      expect(gap).toBeGreaterThanOrEqual(9_000);
      expect(gap).toBeLessThanOrEqual(4_000 + 25_000);
    }
  });

  it('waits although the task is finished while the instance is not back', async () => {
    const stage = await openStage({ extensions: ['instance-read', 'tasks'] });
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    const instance = { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' };
    await stage.control('PUT', 'faults/readInstance', { status: 200, body: instance });
    await rollout.until(/web-1 succeeded/u);
    await expect(rollout.until(/web-2 \w/u, 60)).rejects.toThrow('REBOOT');
    await stage.control('DELETE', 'faults');
    expect(await rollout.until(/done/u)).toContain('web-3 succeeded');
  });

  it('looks again when the pause is over: a target that went away in the meantime is waited for', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage, '/cloud reboot --each tier=web --pause 20s');
    await rollout.until(/web-1 succeeded/u);
    await rollout.until((seen) => seen?.backAt !== undefined, 30);
    const instance = { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' };
    await stage.control('PUT', 'faults/readInstance', { status: 200, body: instance });
    await expect(rollout.until(/web-2 \w/u, 60)).rejects.toThrow('REBOOT');
  });

  it('with a pause of 0s continues at once', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage, '/cloud reboot --each tier=web --pause 0s');
    await rollout.until(/done/u, 40);
    expect(await stage.sent('rebootInstance')).toBe(3);
  });
});

describe('an unknown outcome in the middle', () => {
  let stage: ServiceStage;
  beforeEach(async () => {
    stage = await openStage();
  });

  it('pauses it, and nothing passes it without a person', async () => {
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    await loseNextAnswer(stage);
    expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 unknown, web-3');
    const { rollout: { paused } = {} } = await rollout.now();
    expect(paused?.why).toMatch(/^The outcome for web-2 is unknown\. /u);
    await expect(rollout.until(/web-3 \w/u, 300)).rejects.toThrow('not');
    expect(await reboots(stage)).toEqual(['web-1', 'web-2']);
  });

  it('is passed by its requester, who continues with the next: what may have run is not run again', async () => {
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    await expect(rollout.press('continue', bob)).rejects.toThrow('Only U0ALICE can continue this.');
    await rollout.press('continue');
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
    expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
  });

  it('is shown as settled once it is, even after the rollout is done', async () => {
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    await rollout.press('continue');
    await rollout.until(/done/u);
    const { lines = [] } = (await rollout.now()).rollout ?? {};
    const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
    const verdict = { state: 'succeeded', reason: 'its uptime says so' } as const;
    await settleByHand(stage.context, caller, lines[1]?.request ?? '', verdict);
    expect(await rollout.until(/web-2 succeeded/u, 5)).toMatch(/^done/u);
  });

  it('of the last target ends it as done once it is settled: nothing is left to start', async () => {
    const rollout = await rolling(stage);
    await rollout.until(/web-2 succeeded/u);
    await loseNextAnswer(stage);
    expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 succeeded, web-3 unknown');
    await expect(rollout.until(/done/u, 60)).rejects.toThrow('paused');
    const { lines = [] } = (await rollout.now()).rollout ?? {};
    const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
    const verdict = { state: 'succeeded', reason: 'its uptime says so' } as const;
    await settleByHand(stage.context, caller, lines[2]?.request ?? '', verdict);
    await rollout.until(/done/u, 15);
  });

  it('pauses even if it was settled before anyone looked', async () => {
    const proving = await openStage({ extensions: ['instance-read', 'tasks'] });
    const rollout = await rolling(proving);
    await rollout.until(/web-1 succeeded/u);
    await loseNextAnswer(proving);
    await rollout.until(/paused/u);
    await proving.clock.advance(30_000);
    await expect(rollout.until(/web-3 \w/u, 60)).rejects.toThrow('not');
    expect((await rollout.now()).rollout?.paused?.why).toMatch(
      /^(?:The outcome for web-2 is unknown|The change on web-2 succeeded after all, as the service's task shows)/u,
    );
  });

  it('a continued click counts once, and for the target that it named', async () => {
    const rollout = await rolling(stage);
    await rollout.until(/web-1 running|web-1 succeeded/u);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    const clicks = await Promise.allSettled([1, 2, 3].map(() => rollout.press('continue')));
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await rollout.until(/done/u);
    expect(new Set(await reboots(stage)).size).toBe(3);
    expect(await reboots(stage)).toHaveLength(3);
  });

  it('is not passed by a button of an earlier pause, which named another target', async () => {
    const rollout = await rolling(stage);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    const earlier = (await rollout.now()).rollout?.paused?.next;
    await loseNextAnswer(stage);
    await rollout.press('continue');
    expect(await rollout.until(/paused: .*web-2 unknown/u)).toMatch(/web-3$/u);
    await expect(rollout.press('continue', alice, earlier)).rejects.toThrow('is paused');
    expect(await rollout.summary()).toMatch(/^paused/u);
    await rollout.press('continue');
    await rollout.until(/done/u);
    expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
  });
});

/** The rollout's text once something happened to it after its first target. */
async function pausedBy(stage: ServiceStage, happens: () => unknown) {
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await happens();
  const said = await rollout.until(/paused/u, 900);
  return { rollout, said, why: (await rollout.now()).rollout?.paused?.why ?? '' };
}

describe('what else pauses it', () => {
  it('a change that the service refuses; the next one is offered, not the same again', async () => {
    const stage = await openStage();
    const body = { message: 'it is locked' };
    const { rollout, said, why } = await pausedBy(stage, () => stage.serve('rebootInstance', body, 409));
    expect(said).toBe('paused: web-1 succeeded, web-2 failed, web-3');
    expect(why).toMatch(/^The change on web-2 failed\. It did not run: the service refused it\. .*locked/u);
    await rollout.press('continue');
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 failed, web-3 succeeded');
  });

  it('a freeze that begins: what was refused before it was sent is what a person continues with', async () => {
    const { stage, change } = await stageWithPolicy();
    const now = stage.clock.now();
    const freeze: Freeze = { from: now, to: now + hourMs, reason: 'the big sale', labels: {}, except: [] };
    const { rollout, said, why } = await pausedBy(stage, () =>
      change((policy) => ({ ...policy, freeze: [freeze] })),
    );
    expect(said).toBe('paused: web-1 succeeded, web-2 refused, web-3');
    expect(why).toMatch(/^The request for web-2 was refused: .*Frozen: the big sale/u);
    await expect(rollout.press('continue')).rejects.toThrow('Frozen: the big sale');
    change((policy) => ({ ...policy, freeze: [] }));
    await rollout.press('continue');
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 succeeded, web-3 succeeded');
    expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
  });

  it('a limit that is reached', async () => {
    const limits = [{ per: 'person', atMost: 2, withinMs: 10 * 60_000 } as const];
    const stage = await openStage({ limits });
    const rollout = await rolling(stage);
    await rollout.until(/paused/u);
    expect(await rollout.summary()).toBe('paused: web-1 succeeded, web-2 succeeded, web-3 refused');
    expect((await rollout.now()).rollout?.paused?.why).toContain('(limit 1)');
  });

  it('another open request of the target', async () => {
    const stage = await openStage();
    const { rollout, said, why } = await pausedBy(stage, () => stage.ask('/cloud stop web-2'));
    expect(said).toBe('paused: web-1 succeeded, web-2, web-3');
    expect(why).toMatch(
      /^web-2 has an open request by U0ALICE: \/cloud stop web-2, proposed \(r-\w+\)\. Finish or cancel it\.$/u,
    );
    const { at = 0 } = (await rollout.now()).rollout?.paused ?? {};
    const [open] = await stage.store.list({ operation: 'cloud.stop', limit: 1 });
    if (open) await click(stage.context, open, 'cancel');
    await rollout.until((now) => now?.paused?.why !== why);
    const freed = (await rollout.now()).rollout?.paused?.why;
    expect(freed).toBe('The other request for web-2 has ended: /cloud stop web-2 by U0ALICE, cancelled.');
    // The wait for the other request was part of the pause.
    const { pausedMs, paused } = (await rollout.now()).rollout ?? {};
    expect(pausedMs).toBe((paused?.at ?? 0) - at);
    await rollout.press('continue');
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 succeeded, web-3 succeeded');
  });

  it('a request that was open before it began, whose card is drawn again and says where the rollout is', async () => {
    const stage = await openStage();
    const before = await stage.propose('carol', '/cloud stop web-3');
    expect(before.recentChange).toBeUndefined();
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    const now = await stage.find(before);
    expect(now).toMatchObject({ version: 2, recentChange: rollout.id });
    const place = placeIn(await rollout.now(), now);
    expect(place?.at(0)).toBe(' was at web-1');
    expect(place?.at(-1)).toBe('; web-3 comes after web-1.');
    await rollout.until(/paused/u);
    expect(placeIn(await rollout.now(), now)?.at(-1)).toBe(' It waits for this request.');
    expect((await stage.find(before)).version).toBe(3);
    await rollout.press('stop');
    await sweep(stage.context);
    expect((await stage.find(before)).version).toBe(4);
    expect(placeIn(await rollout.now(), now)).toMatchObject([' stopped on ', {}, ', before web-3.']);
  });

  it('an unknown outcome, and once it is continued, the cards of open requests are drawn again', async () => {
    const stage = await openStage();
    const before = await stage.propose('carol', '/cloud stop web-3');
    const rollout = await rolling(stage);
    await stage.control('PUT', 'faults/rebootInstance', { status: 500, times: 1 });
    await rollout.until(/paused/u);
    expect((await stage.find(before)).version).toBe(3);
    await rollout.press('continue');
    await rollout.until(/web-2 succeeded/u);
    expect((await stage.find(before)).version).toBe(4);
    expect(placeIn(await rollout.now(), before)?.at(0)).toBe(' was at web-2');
  });

  it("another's open request of the target, whose card is drawn again and says that the rollout waits for it", async () => {
    const stage = await openStage();
    const { rollout, why } = await pausedBy(stage, () => stage.ask('/cloud stop web-2', 'carol'));
    expect(why).toMatch(/proposed \(r-\w+\)\. Ask U0CAROL to finish or cancel it\.$/u);
    const [open] = await stage.store.list({ operation: 'cloud.stop', limit: 1 });
    expect(open?.version).toBe(2);
    const place = open && placeIn(await rollout.now(), open);
    expect(place?.at(-1)).toBe(' It waits for this request.');
  });

  it('a target that is still not back after ten minutes', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage);
    const instance = { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' };
    await rollout.until(/web-1 \w/u);
    await stage.control('PUT', 'faults/readInstance', { status: 200, body: instance });
    await rollout.until(/paused/u, 700);
    expect((await rollout.now()).rollout?.paused?.why).toMatch(
      /^web-1 is still not back after 10 min.*REBOOT/u,
    );
  });

  it("a service's task that is still open after ten minutes, although the target is back", async () => {
    const stage = await openStage({ extensions: ['instance-read', 'tasks'] });
    const rollout = await rolling(stage);
    await stage.control('PUT', 'faults/readTask', { status: 503 });
    await rollout.until(/paused/u, 900);
    expect(await rollout.summary()).toBe('paused: web-1 succeeded, web-2, web-3');
    expect((await rollout.now()).rollout?.paused?.why).toMatch(
      /^The service's task for web-1 \(.+\) had not ended when Bellhop last checked it\.$/u,
    );
    expect(await reboots(stage)).toEqual(['web-1']);
  });

  it('a requester who is no longer on call, or may no longer run it', async () => {
    const { stage, change } = await stageWithPolicy();
    const { why } = await pausedBy(stage, () =>
      change((policy) => {
        const { responders } = policy.roles;
        return responders
          ? { ...policy, roles: { ...policy.roles, responders: { ...responders, users: [] } } }
          : policy;
      }),
    );
    expect(why).toMatch(/^The request for web-2 was refused: The rules no longer allow it/u);
  });
});

describe('stopping', () => {
  it('here, while it is paused, ends it; anyone who may run or approve it may, others may not', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    await expect(rollout.press('stop', { team: 'T0LOCAL', user: 'U0GUS' })).rejects.toThrow('can stop it');
    await rollout.press('stop', carol);
    expect(await rollout.summary()).toMatch(/^stopped/u);
    await expect(rollout.press('continue')).rejects.toThrow('already been stopped');
    await expect(rollout.until(/done/u, 60)).rejects.toThrow('stopped');
  });

  it('after the current target lets that end, and starts no other', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage);
    await rollout.until(/web-1 (running|succeeded)/u);
    await rollout.press('stop');
    expect(await rollout.until(/stopped/u)).toBe('stopped: web-1 succeeded, web-2, web-3');
    expect(await reboots(stage)).toEqual(['web-1']);
  });

  it('happens by itself when no one continues within an hour', async () => {
    const stage = await openStage();
    const rollout = await rolling(stage);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    await stage.clock.advance(hourMs);
    expect(await rollout.until(/stopped/u)).toMatch(/^stopped: web-1 unknown/u);
  });
});
