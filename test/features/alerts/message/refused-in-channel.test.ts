import { afterEach, beforeEach, expect, it } from 'vitest';

import { alertButtons } from '../../../../src/features/alerts/buttons.ts';
import type { Hook } from '../../../../src/features/alerts/group/section.ts';
import { offers } from '../../../../src/features/index.ts';
import { handleOfferButton } from '../../../../src/slack/handle/command-buttons.ts';
import type { SlackContext } from '../../../../src/slack/messages/context.ts';
import type { Click } from '../../../../src/slack/receive/dispatch.ts';
import { closedTarget } from '../../../closed-target.ts';
import { callerOf } from '../../../core.ts';
import { recordingLog } from '../../../log.ts';
import { people, type Who } from '../../../people.ts';
import { type BoxStage, openBoxes } from '../../../run/sample-boxes.ts';
import { received } from '../sample-alert.ts';

// A refused press on an alert's message in the channel, whose thread has replies.

const channel = 'C0INC42';
const hook: Hook = {
  secret: 'secret:grafana-hook',
  channel,
  kind: 'alertmanager',
  targetLabel: undefined,
  reads: [],
  ownForMs: 1,
  buttons: [{ when: {}, run: '/box kick {target}' }],
};

let boxes: BoxStage;
let answers: { readonly thread: string | undefined; readonly text: string }[];
let problem: string | undefined;
beforeEach(async () => {
  boxes = await openBoxes();
  const { rulebook } = boxes;
  boxes.rulebook = { ...rulebook, sections: { ...rulebook.sections, hooks: { grafana: hook } } };
  answers = [];
  problem = undefined;
});
afterEach(() => boxes.close());

async function fire(status: 'firing' | 'resolved' = 'firing'): Promise<string> {
  const labels = { alertname: 'InstanceDown', instance: 'web-1' };
  const content = { title: 'InstanceDown', alerts: [{ status, labels }], firing: 1, total: 1 };
  const sent = received({ status, content });
  await boxes.store.foldOffer(sent);
  return sent.messageId;
}

async function press(who: Who, messageId: string): Promise<void> {
  const parts = {
    ...boxes.context,
    store: boxes.store,
    clock: boxes.clock,
    log: recordingLog(),
    disclaimers: [],
    offers,
    inProgress: { run: (_: unknown, does: () => Promise<unknown>) => does() },
    cards: { shown: async () => problem, link: async () => undefined },
    api: {
      postEphemeral: async (_: string, __: string, { text }: { text: string }, thread?: string) =>
        void answers.push({ text, thread }),
    },
  };
  const message = await boxes.store.findOffer(messageId);
  const [button] = message ? alertButtons(boxes.context, message) : [];
  const click = {
    action: { value: `${messageId} ${button?.key ?? 'gone'}` },
    body: { trigger_id: 't-1' },
    context: { caller: callerOf(people[who], channel), responseUrl: undefined, clicked: { ts: '1.1' } },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that a press uses
  await handleOfferButton(parts as unknown as SlackContext, click as unknown as Click);
}

it.each<[why: string, says: RegExp, happens: (id: string) => Promise<void>]>([
  [
    'a restriction of its target',
    /web-1 is closed/u,
    async (id) => {
      Object.assign(boxes.context, { restrictions: [closedTarget('web-1')] });
      await press('alice', id);
    },
  ],
  ['a wrong role', /Nothing was done/u, (id) => press('bob', id)],
  [
    "another person's running request",
    /Wait until it ends/u,
    async (id) => {
      boxes.service.kick = () => new Promise(() => undefined);
      const running = await boxes.propose('carol', '/box kick web-1');
      await boxes.click('carol', running, 'confirm');
      await press('alice', id);
    },
  ],
  [
    'a card that Slack does not take',
    /its card could not be posted here/u,
    async (id) => {
      problem = 'Slack does not accept messages';
      await press('alice', id);
    },
  ],
  [
    'its end meanwhile',
    /This alert is resolved/u,
    async (id) => {
      await fire('resolved');
      await press('alice', id);
    },
  ],
  ['an alert that is gone', /no longer stored/u, () => press('alice', 'a-gone')],
])('a refusal because of %s is answered in the channel', async (_, says, happens) => {
  await happens(await fire());
  expect(answers).toMatchObject([{ thread: undefined }]);
  expect(answers[0]?.text).toMatch(says);
});
