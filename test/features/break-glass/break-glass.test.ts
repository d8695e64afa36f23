import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { requestHere } from '../../../src/request/click-permissions.ts';
import {
  breakableGlass,
  runWithBreakGlass,
  glassExtra,
} from '../../../src/features/break-glass/break-glass.ts';
import { createRegistry } from '../../../src/command/grammar/registry.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { cardRenderer } from '../../../src/slack/cards/render-card.ts';
import { aRequest } from '../../sample-request.ts';
import { outlineMessage } from '../../slack/outline.ts';
import { callerOf } from '../../core.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import type { ModalView } from '@slack/types';
import { openBreakGlass } from '../../../src/features/break-glass/forms.ts';
import type { SlackContext } from '../../../src/slack/messages/context.ts';
import { closedTarget } from '../../closed-target.ts';
import { clickOn } from '../../slack/receive/handled.ts';
import { click } from '../../slack/receive/payload-samples.ts';
import { people, type Who } from '../../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

const asked = (who: Who, id: string, channel?: string) =>
  messageOf(breakableGlass(stage.context, callerOf(people[who], channel), id));

describe('the button that breaks the glass', () => {
  it('is for the requester, wherever they review it, while the request waits for an approval', async () => {
    const { id } = await stage.propose('alice', '/box kick db-1');
    expect(await asked('alice', id)).toBe('done');
    expect(await asked('carol', id)).toBe('Only U0ALICE can use break-glass for this. Nothing was done.');
    expect(await asked('alice', id, 'C0GENERAL')).toBe('done');
    expect(await asked('carol', id, 'C0GENERAL')).toBe('This channel has no such request. Nothing was done.');
    await stage.click('alice', { id }, 'cancel');
    expect(await asked('alice', id)).toContain('has already been cancelled. There is no approval to skip.');
    expect(stage.service.kicks).toEqual([]);
  });

  it('proposes the request again, to be confirmed, and records a press by someone who may not', async () => {
    const { id } = await stage.propose('alice', '/box kick db-1');
    const broken = (who: Who) =>
      runWithBreakGlass(stage.context, callerOf(people[who]), id, 'the shop is down');
    expect(await messageOf(broken('bob'))).toContain('Only U0ALICE can');
    expect(await stage.store.audit({ limit: 1 })).toMatchObject([{ actor: { user: 'U0BOB' } }]);
    expect(await broken('alice')).toMatchObject({
      request: { state: 'proposed', breakGlass: 'the shop is down' },
    });
    expect((await stage.find({ id })).state).toBe('awaiting approval');
  });
});

it('its form names what it overrides, and says that the holder is notified', async () => {
  const request = await stage.propose('alice', '/box kick db-1');
  const opened: ModalView[] = [];
  const api = { openView: (_: string, view: ModalView) => Promise.resolve(void opened.push(view)) };
  const clicked = clickOn(click);
  for (const restrictions of [[closedTarget('db-1', people.carol)], []])
    await openBreakGlass(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that the form uses
      { ...stage.context, restrictions, api } as unknown as SlackContext,
      { ...clicked, action: { ...clicked.action, value: request.id } },
    );
  const [over, alone] = opened.map((view) => JSON.stringify(view.blocks));
  expect(over).toContain(
    '*Overridden:* db-1 is closed. Open it first. <@U0CAROL> is notified once you confirm.',
  );
  expect(alone).not.toContain('Overridden');
});

it('anyone who can see a card can open its details', async () => {
  const { id } = await stage.propose('alice', '/box kick db-1');
  const details = (channel: string) => requestHere(stage.context, callerOf(people.bob, channel), id);
  expect(await details('C0OPS')).toMatchObject({ id });
  expect(await messageOf(details('C0GENERAL'))).toBe('This channel has no such request. Nothing was done.');
});

describe('the card of a request that awaits approval', () => {
  const decision = { ...aRequest().decision, effect: 'approve' as const, breakGlass: ['responders'] };
  const render = cardRenderer({
    registry: createRegistry([], []),
    rulebook: () => stage.rulebook,
    disclaimers: [],
    cardExtras: [glassExtra],
  });
  const card = (changes: Partial<Request>) =>
    outlineMessage(render(aRequest({ state: 'awaiting approval', decision, ...changes })));
  const line = "small: Can't wait? <@U0ALICE> can use *Break glass…* (responders only).";
  const button = 'button: [Break glass…] break-glass=r-7k3m9qpd';

  it('says who may skip the approval, and has their button', () => {
    expect(card({})).toContain(line);
    expect(card({})).toMatch(/button: \[Cancel\] [^\n]+\n *button: \[Break glass…\]/u);
    expect(card({})).toContain(button);
  });

  it.each<[string, Partial<Request>]>([
    ['no rule lets anyone', { decision: { ...decision, breakGlass: [] } }],
    ['it is only to be confirmed', { state: 'proposed' }],
    ['a part of it has run', { rollout: { each: [], pause: '1m', lines: [], index: 0, startedAt: 1 } }],
  ])('has neither if %s', (_, changes) => {
    expect(card(changes)).not.toMatch(/break.glass/iu);
  });
});
