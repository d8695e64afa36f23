import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { receiveAlerts } from '../../../src/features/alerts/group/receive.ts';
import { readsKind, turnedKind } from '../../../src/features/alerts/group/group-due.ts';
import type { Hook } from '../../../src/features/alerts/group/section.ts';
import { createReadsHandler } from '../../../src/features/alerts/reads.ts';
import type { Host } from '../../../src/host/feature.ts';
import { type BoxStage, openBoxes, rule } from '../../run/sample-boxes.ts';
import { workDue } from '../../due/work-due.ts';

const hook: Hook = {
  secret: 'secret:grafana-hook',
  channel: 'C0INC42',
  kind: 'alertmanager',
  targetLabel: 'instance',
  reads: ['/box look {target}'],
  ownForMs: 1,
  buttons: [],
};

let boxes: BoxStage;
let posted: { readonly text: string; readonly thread: string | undefined }[];
let skipped: string[];
let handler: ReturnType<typeof createReadsHandler>;
beforeEach(async () => {
  boxes = await openBoxes();
  posted = [];
  skipped = [];
  set(hook);
  const { policy } = boxes.rulebook;
  boxes.rules([rule('allow', { programs: ['hook:grafana'], risk: ['read'] }), ...policy.rules]);
  const parts = {
    ...boxes.context,
    clock: boxes.clock,
    store: boxes.store,
    disclaimers: [],
    api: {
      postMessage: async (_: string, message: { blocks: unknown }, thread?: string) =>
        void posted.push({ text: JSON.stringify(message.blocks), thread }),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that reads use
  handler = createReadsHandler(parts as unknown as Host, (name) => skipped.push(name));
});
afterEach(() => boxes.close());

function set(its: Hook): void {
  const { rulebook } = boxes;
  boxes.rulebook = { ...rulebook, sections: { ...rulebook.sections, hooks: { grafana: its } } };
}

/** The process dies right after the transaction that takes the alert. */
const dying = (store: BoxStage['store']): BoxStage['store'] => ({
  ...store,
  setDue: () => Promise.reject(new Error('killed')),
});

/** Receives an alert, and shows its message unless Slack is slow. */
async function fire(
  instance: string,
  its = hook,
  isShown = true,
  status: 'firing' | 'resolved' = 'firing',
): Promise<void> {
  const labels = { alertname: 'InstanceDown', instance };
  const content = {
    title: `${instance} down`,
    severity: 'critical',
    targets: [instance],
    alerts: [{ status, labels }],
    firing: Number(status === 'firing'),
    total: 1,
  };
  const update = { key: instance, status, digest: `${Math.random()}`, content };
  await receiveAlerts({ ...boxes.context, store: dying(boxes.store) }, 'grafana', its, update);
  const found = await boxes.store.findOfferOf('grafana', instance);
  const message = await boxes.store.findOffer(found?.messageId ?? '');
  if (message && isShown && message.ts === undefined)
    await boxes.store.markOfferShown(message, { channel: 'C0INC42', ts: `${instance}.1` });
}

const work = () => workDue(boxes.store, boxes.clock.now(), handler);

describe('the reads of a hook', () => {
  it('are posted in the thread of a new alert, once, with the hook as the actor', async () => {
    boxes.service.kick = async (what) => `${what}: fine`;
    await fire('web-1');
    await work();
    await fire('web-1');
    await work();
    expect(posted.map(({ thread }) => thread)).toEqual(['web-1.1']);
    expect(posted[0]?.text).toContain('a look at web-1: fine');
    const [entry] = await boxes.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ event: 'read', operation: 'box.look', actor: { user: 'hook:grafana' } });
  });

  it('are due with the alert itself, as is the note for changes that wait', async () => {
    await fire('web-1');
    expect(await boxes.store.findDue(readsKind, 'grafana web-1')).toBeDefined();
    expect(await boxes.store.findDue(turnedKind, 'grafana web-1')).toMatchObject({
      about: { source: 'grafana', group: 'web-1' },
    });
  });

  it('wait until the message is posted', async () => {
    await fire('web-1', hook, false);
    await work();
    expect(posted).toEqual([]);
    await fire('web-1');
    await boxes.clock.advance(1000);
    await work();
    expect(posted).toHaveLength(1);
  });

  it('need a rule that names the hook, and say so otherwise', async () => {
    boxes.rules(boxes.rulebook.policy.rules.slice(1));
    await fire('web-1');
    await work();
    expect(posted[0]?.text).toMatch(/`\/box look \{target\}` was not read: .*No rule allows it/u);
  });

  it('never change anything, whatever the rules say', async () => {
    boxes.rules([rule('allow', { programs: ['hook:grafana'], confirmNever: true })]);
    set({ ...hook, reads: ['/box kick {target}'] });
    await fire('web-1', { ...hook, reads: ['/box kick {target}'] });
    await work();
    expect(posted[0]?.text).toContain('was not read');
    expect(boxes.service.kicks).toEqual([]);
  });

  it('say so in a line if they fail, or take over ten seconds', async () => {
    boxes.service.kick = () => new Promise(() => undefined);
    await fire('web-1');
    const working = work();
    await boxes.clock.advance(11_000);
    await working;
    expect(posted[0]?.text).toMatch(/was not read: .*No answer came within 10 s/u);
  });

  it('are not for alerts without a target, and at most ten a minute; further ones are counted', async () => {
    await fire('nowhere');
    await work();
    expect(posted).toEqual([]);
    const instances = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`i-${at}`, { id: `n-${at}`, labels: {} }]),
    );
    boxes.rulebook = { ...boxes.rulebook, inventory: { ...boxes.rulebook.inventory, instances } };
    for (const name of Object.keys(instances)) await fire(name);
    await work();
    expect(posted.length).toBeLessThanOrEqual(10);
    expect(skipped.length).toBeGreaterThan(1);
  });
});
