import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { tellNotices } from '../../due/notices.ts';
import { offers } from '../../../src/features/index.ts';
import { pressOffer } from '../../../src/run/press-offer.ts';
import { alertButtons } from '../../../src/features/alerts/buttons.ts';
import type { Hook, Hooks } from '../../../src/features/alerts/group/section.ts';
import { received } from './sample-alert.ts';
import { closedTarget } from '../../closed-target.ts';
import { callerOf } from '../../core.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import { people, type Who } from '../../people.ts';

const hook: Hook = {
  secret: 'secret:grafana-hook',
  channel: 'C0INC42',
  kind: 'alertmanager',
  targetLabel: undefined,
  reads: [],
  ownForMs: 4 * 60 * 60_000,
  buttons: [
    { when: { alertname: ['InstanceDown'] }, run: '/box kick {target}' },
    { when: {}, run: '/box look {target}' },
  ],
};

let stage: BoxStage;
function listHooks(hooks: Hooks): void {
  const { rulebook } = stage;
  stage.rulebook = { ...rulebook, sections: { ...rulebook.sections, hooks } };
}
let id: string;
beforeEach(async () => {
  stage = await openBoxes();
  listHooks({ grafana: hook });
  id = await fire('web-1');
});
afterEach(() => stage.close());

/** Resolves to the id of the message about it. */
async function fire(instance: string, status: 'firing' | 'resolved' = 'firing'): Promise<string> {
  const labels = { alertname: 'InstanceDown', instance };
  const content = { title: 'InstanceDown', alerts: [{ status, labels }], firing: 1, total: 1 };
  const told = received({ key: instance, status, content });
  await stage.store.foldOffer(told);
  return told.messageId;
}

async function keyOf(text: string): Promise<string> {
  const message = await stage.store.findOffer(id);
  const button = message && alertButtons(stage.context, message).find((each) => each.text === text);
  return button?.key ?? '';
}

async function press(
  who: Who,
  key: string,
  { channel = 'C0INC42', messageId = id, as }: { channel?: string; messageId?: string; as?: string } = {},
) {
  const caller = callerOf(people[who], channel);
  const place = { ...caller.place, thread: '1.1' };
  return pressOffer(stage.context, offers, { ...caller, place, press: as }, { messageId, key });
}

describe('a button under an alert', () => {
  it('proposes as anyone who presses it, in the thread of the alert', async () => {
    expect(await press('alice', await keyOf('Kick web-1…'))).toMatchObject({
      kind: 'request',
      request: {
        state: 'proposed',
        words: '/box kick web-1',
        requester: { user: 'U0ALICE' },
        place: { channel: 'C0INC42', thread: '1.1' },
      },
    });
    expect(stage.service.kicks).toEqual([]);
  });

  it('is refused to someone who may not type the same, and that is recorded', async () => {
    await expect(press('bob', await keyOf('Kick web-1…'))).rejects.toThrow('Nothing was done.');
    expect((await stage.store.audit({ limit: 1 }))[0]).toMatchObject({
      event: 'denied',
      operation: 'box.kick',
      actor: { user: 'U0BOB' },
    });
  });

  it('is refused like a typed command on a target that a feature closes', async () => {
    Object.assign(stage.context, { restrictions: [closedTarget('web-1')] });
    await expect(press('alice', await keyOf('Kick web-1…'))).rejects.toThrow(
      "You can't kick web-1 here. web-1 is closed. Open it first. Nothing was done.",
    );
    expect((await stage.store.audit({ limit: 1 }))[0]).toMatchObject({ event: 'denied', rule: 'test' });
    expect(await stage.store.list({ limit: 5 })).toEqual([]);
  });

  it.each<Who>(['greta, a guest on call', "another team's user with alice's id"])(
    'gives %s nothing',
    async (who) => {
      for (const text of ['Kick web-1…', 'Box look web-1'])
        await expect(press(who, await keyOf(text))).rejects.toThrow(
          /^(?:You can't |You have no role that may |Bellhop takes commands only)/u,
        );
      expect(await stage.store.list({ limit: 5 })).toEqual([]);
    },
  );

  it('of a read runs at once', async () => {
    expect(await press('bob', await keyOf('Box look web-1'))).toMatchObject({ kind: 'report' });
  });

  it('runs nothing where its alert is gone, elsewhere or over, or the rules no longer have it', async () => {
    const key = await keyOf('Kick web-1…');
    const gone = 'This alert is no longer stored. Type the command instead. Nothing was done.';
    await expect(press('alice', key, { messageId: 'a-gone' })).rejects.toThrow(gone);
    await expect(press('alice', key, { channel: 'C0OPS' })).rejects.toThrow(gone);
    await expect(press('alice', '/box kick db-1')).rejects.toThrow(
      'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead. Nothing was done.',
    );
    const [, look] = hook.buttons;
    listHooks({ grafana: { ...hook, buttons: look ? [look] : [] } });
    await expect(press('alice', key)).rejects.toThrow(
      'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead. Nothing was done.',
    );
    listHooks({});
    await expect(press('alice', key)).rejects.toThrow(
      'This button is no longer available, because bellhop.yaml or the alert changed. Type the command instead. Nothing was done.',
    );
    listHooks({ grafana: hook });
    await fire('web-1', 'resolved');
    await expect(press('alice', key)).rejects.toThrow('This alert is resolved');
    expect(await stage.store.list({ limit: 5 })).toEqual([]);
  });

  it('records who pressed it after the alert was resolved', async () => {
    const key = await keyOf('Kick web-1…');
    await fire('web-1', 'resolved');
    await expect(press('alice', key)).rejects.toThrow('This alert is resolved');
    expect(await stage.store.audit({ limit: 1 })).toMatchObject([
      { event: 'invalid', actor: { user: 'U0ALICE' }, place: { channel: 'C0INC42' } },
    ]);
  });

  it('that runs at once runs once for a double click, and again a minute after that ended', async () => {
    listHooks({ grafana: { ...hook, buttons: [{ when: {}, run: '/box kick quick' }] } });
    const key = await keyOf('Kick quick…');
    const pressAlice = () => press('alice', key, { as: "Alice's press" });
    const first = await pressAlice();
    if (first.kind !== 'request') throw new Error(first.kind);
    await stage.becomes(first.request, 'succeeded');
    await stage.clock.advance(59_999);
    await expect(pressAlice()).rejects.toMatchObject({
      code: 'busy',
      other: { id: first.request.id },
      message: `You already pressed this button. Its request: /box kick quick, succeeded (${first.request.id}). To run it once more, wait a minute or type the command. Nothing was done.`,
    });
    expect((await stage.store.audit({ limit: 1 }))[0]).toMatchObject({
      operation: 'box.kick',
      actor: { user: 'U0ALICE' },
    });
    await stage.clock.advance(1);
    expect(await pressAlice()).toMatchObject({ kind: 'request' });
  });

  it.each([
    ['Restart the web tier', { when: {}, run: '/box kick quick', label: 'Restart the web tier' }, 'proposed'],
    ['Kick quick', { when: {}, run: '/box kick quick', label: 'Kick quick' }, 'running'],
    ['Kick quick…', { when: {}, run: '/box kick quick' }, 'running'],
  ] as const)('“%s” asks first where it does not name the command', async (text, button, state) => {
    listHooks({ grafana: { ...hook, buttons: [button] } });
    expect(await press('alice', await keyOf(text))).toMatchObject({ kind: 'request', request: { state } });
  });

  it('pressed by two people at once leaves one open request, and replaces the other', async () => {
    const key = await keyOf('Kick web-1…');
    await Promise.all([press('alice', key), press('carol', key)]);
    const made = await stage.store.list({ limit: 5 });
    expect(made.map(({ state }) => state).toSorted()).toEqual(['cancelled', 'proposed']);
    const told = await tellNotices(stage.store, stage.clock.now());
    expect(told.map(({ kind }) => kind)).toEqual(['replaced']);
  });
});
