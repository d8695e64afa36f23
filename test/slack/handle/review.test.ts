import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { requestMetadata } from '../../../src/slack/forms/request-form.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import type { Message } from '../../../src/slack/render/blocks.ts';
import { SlackError } from '../../../src/slack/web-api/slack-error.ts';
import type { Request } from '../../../src/model/records/request.ts';
import type { HeldClick } from '../../../src/model/values/pass.ts';
import { recordingLog } from '../../log.ts';
import { type BoxStage, openBoxes, rule } from '../../run/sample-boxes.ts';
import { token, tokenGate } from '../../token-gate.ts';
import { outline } from '../outline.ts';
import { sendThrough } from '../receive/handled.ts';

let stage: BoxStage;
let views: string[];
let elsewhere: string[];
let slack: SlackContext;
let expired: boolean;
let linksLeft: number;
let named: (string | undefined)[];
beforeEach(async () => {
  stage = await openBoxes();
  [views, elsewhere, named, expired, linksLeft] = [[], [], [], false, 1];
  const drawn =
    (how: string) =>
    (where: string, { title, blocks }: { title?: { text: string }; blocks: Message['blocks'] }) =>
      void views.push(`${how} ${where} ${title?.text ?? ''}\n${outline(blocks)}`);
  const gate = Object.assign(tokenGate(), {
    link: async ({ channelName }: HeldClick) => (
      named.push(channelName),
      linksLeft-- > 0 ? 'https://token.example/' : undefined
    ),
  });
  const parts = {
    ...stage.context,
    gates: [gate],
    log: recordingLog(),
    disclaimers: [],
    cardExtras: [],
    inProgress: { run: (_: unknown, work: () => unknown) => work() },
    beside: () => Promise.resolve({}),
    homeLines: () => Promise.resolve([]),
    cards: {
      link: ({ id }: Request) => Promise.resolve(`https://chat.example/${id}`),
      removeIfStray: () => Promise.resolve(),
      shown: () => Promise.resolve(undefined),
    },
    api: {
      openView: async (trigger: string, view: never, onTop: boolean) => {
        if (expired)
          throw new SlackError('views.push', 'expired_trigger_id', { retryable: false, sent: false });
        drawn(onTop ? 'on top' : 'opened')(trigger, view);
      },
      updateView: async (id: string, _: unknown, view: never) => drawn('updated')(id, view),
      publishHome: async (user: string, view: never) => drawn('home')(user, view),
      postMessage: async (channel: string, { blocks }: Message) =>
        void elsewhere.push(`${channel}\n${outline(blocks)}`),
    },
  };
  Object.assign(stage.context, { gates: [gate] });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that a review uses
  slack = parts as unknown as SlackContext;
});
afterEach(() => stage.close());

/** Carol presses a button of the review that she opened on her Home tab. */
const press = ({ id: requestId, place: { team } }: Request, action: string) =>
  sendThrough(slack, {
    type: 'block_actions',
    user: { id: 'U0CAROL', team_id: 'T0LOCAL' },
    team: { id: 'T0LOCAL', domain: 'local' },
    trigger_id: 'trigger',
    container: { type: 'view', view_id: 'V1' },
    view: {
      id: 'V1',
      type: 'modal',
      private_metadata: requestMetadata.write({
        requestId,
        place: { team, channel: 'U0CAROL' },
        channelName: 'ops',
      }),
    },
    actions: [{ type: 'button', action_id: action, block_id: 'b1', value: requestId, action_ts: '1.2' }],
  });

const waiting = (more: Parameters<typeof rule>[1] = {}) => {
  stage.rules([rule('approve', { roles: ['responders'], approvers: ['leads'], ...more })]);
  return stage.propose('alice', '/box kick web-1');
};

describe('a button of a review answers in the review', () => {
  it('a click that is refused, with the buttons that still work', async () => {
    const request = await waiting();
    Object.assign(stage.context, { clockIsRight: () => false });
    Object.assign(slack, { clockIsRight: () => false });
    await stage.clock.advance(24 * 60 * 60_000);
    await press(request, 'approve');
    expect(views[0]).toMatch(/^updated V1 Review\nsection: ⛔ Bellhop's clock is wrong/u);
    expect(views[0]).toContain('button: [Approve] primary approve=');
    expect(views[0]).toContain('button: [Deny] deny=');
    expect(elsewhere).toEqual([]);
  });

  it('a click that came too late, with what has happened instead', async () => {
    const request = await waiting();
    await stage.click('alice', request, 'cancel');
    await press(request, 'approve');
    expect(views[0]).toMatch(
      /^updated V1 Details\nsection: ℹ️ The request for web-1 has already been cancelled/u,
    );
    expect(views[0]).not.toContain('[Approve]');
    expect(elsewhere).toEqual([]);
  });

  it('a click that worked, with where the outcome will be, and renews the Home tab below', async () => {
    const request = await waiting();
    stage.service.connect = () => new Promise(() => undefined);
    await press(request, 'approve');
    expect(views[0]).toContain(
      `The card shows the outcome: <https://chat.example/${request.id}|Open the card>.`,
    );
    expect(views.join('\n')).not.toContain('This message will update.');
    expect(views[1]).toMatch(/^home U0CAROL /u);
  });

  it('a click that asks for more, with the link on top, and then with where the next link is', async () => {
    const request = await waiting({ demands: [token] });
    await press(request, 'approve');
    expect(views[0]).toMatch(/^on top trigger Touch the token to a/u);
    expect(views[0]).toContain('Touch the token to approve');
    expect(elsewhere).toEqual([]);
    expect(named).toEqual(['ops']);
    views = [];
    await press(request, 'approve');
    expect(views[0]).toMatch(
      /^updated V1 Review\nsection: \*Touch the token to approve\.\* The link is in your direct messages from Bellhop\./u,
    );
    expect(views[0]).toContain('button: [Approve] primary approve=');
  });

  it('a click whose trigger has expired, with where the link is', async () => {
    const request = await waiting({ demands: [token] });
    expired = true;
    await press(request, 'approve');
    expect(views[0]).toContain('The link is in your direct messages from Bellhop.');
    expect(elsewhere.join('\n')).toMatch(/^U0CAROL\nsection: Touch the token to approve/u);
  });
});

it('the Home tab is read again by its Refresh button, and says when it was read', async () => {
  await sendThrough(slack, {
    type: 'block_actions',
    user: { id: 'U0CAROL', team_id: 'T0LOCAL' },
    team: { id: 'T0LOCAL', domain: 'local' },
    trigger_id: 'trigger',
    container: { type: 'view', view_id: 'V2' },
    view: { id: 'V2', type: 'home' },
    actions: [{ type: 'button', action_id: 'home:refresh', block_id: 'b1', value: 'home', action_ts: '1.2' }],
  });
  expect(views).toEqual([expect.stringMatching(/^home U0CAROL [^]*\[Refresh\][^]*small: as of </u)]);
  expect(elsewhere).toEqual([]);
});
