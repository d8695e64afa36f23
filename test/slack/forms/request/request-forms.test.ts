import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { renderRequestForm } from '../../../../src/slack/forms/request-form.ts';
import { openDenial, openTypeName, settleForm } from '../../../../src/slack/forms/request-forms.ts';
import { createCommandsInProgress } from '../../../../src/run/admission.ts';
import type { SlackContext } from '../../../../src/slack/messages/context.ts';
import { openBoxes, rule, type BoxStage } from '../../../run/sample-boxes.ts';
import { clickOn, sendThrough } from '../../receive/handled.ts';
import { click, submission } from '../../receive/payload-samples.ts';
import { outline } from '../../outline.ts';
import { confirmed } from '../../../sample-request.ts';
import { report } from '../../../../src/model/values/report.ts';

let stage: BoxStage;
let opened: ModalView[];
beforeEach(async () => {
  opened = [];
  stage = await openBoxes();
});
afterEach(() => stage.close());

const contextOf = ({ context }: BoxStage) =>
  ({
    ...context,
    inProgress: createCommandsInProgress(),
    api: { openView: (_: string, view: ModalView) => Promise.resolve(void opened.push(view)) },
  }) as unknown as SlackContext;

const pressed = () => clickOn(click);

/** Enters a text in the only field of the form that was opened, as a person; resolves to the answer of the form. */
async function enter(user: string, text: string | null, callback_id = opened[0]?.callback_id) {
  const { private_metadata, blocks } = opened[0] ?? { private_metadata: '', blocks: [] };
  const field = blocks.find(({ type }) => type === 'input')?.block_id ?? '';
  const state = { values: { [field]: { value: { type: 'plain_text_input', value: text } } } };
  const view = { ...submission.view, callback_id, private_metadata, state };
  return sendThrough(contextOf(stage), { ...submission, user: { ...submission.user, id: user }, view });
}

describe('the form that asks for the name of the target', () => {
  it('says next to the field that another name runs nothing, and runs with the right one', async () => {
    stage.rules([rule('confirm', { roles: ['responders'], typeName: true })]);
    const proposed = await stage.propose('alice', '/box kick web-1');
    await openTypeName(contextOf(stage), pressed(), proposed);
    expect(await enter('U0ALICE', 'web-2')).toEqual([
      { response_action: 'errors', errors: { name: 'The name does not match “web-1”. Nothing was run.' } },
    ]);
    expect(stage.service.kicks).toEqual([]);
    expect(await enter('U0ALICE', ' web-1 ')).toEqual([{ response_action: 'clear' }]);
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });
});

describe('the form that asks why a request is denied', () => {
  it('denies with the reason, or without one', async () => {
    for (const [reason, note] of [
      ['not today', 'Why: “not today”'],
      [null, undefined],
    ] as const) {
      opened = [];
      const proposed = await stage.propose('alice', '/box kick db-1');
      await openDenial(contextOf(stage), pressed(), proposed);
      expect(await enter('U0CAROL', reason)).toEqual([{ response_action: 'clear' }]);
      const denied = await stage.store.find(proposed.id);
      expect([denied?.state, denied?.note]).toEqual(['refused', note]);
    }
  });

  it('says next to the field who may not', async () => {
    const proposed = await stage.propose('alice', '/box kick db-1');
    await openDenial(contextOf(stage), pressed(), proposed);
    expect(await enter('U0BOB', 'no')).toMatchInlineSnapshot(`
      [
        {
          "errors": {
            "reason": "You can't deny this. Nothing was done. Allowed: role leads.",
          },
          "response_action": "errors",
        },
      ]
    `);
    expect(await stage.store.find(proposed.id)).toMatchObject({ state: 'awaiting approval' });
  });
});

describe('the form that settles an unknown outcome', () => {
  it.each([
    ['failed', { text: 'It did not run', value: 'failed' }],
    ['succeeded', { text: 'It ran', value: 'succeeded' }],
    [undefined, undefined],
  ] as const)('has the outcome chosen that the evidence suggests: %s', async (suggests, chosen) => {
    const search = { sent: { from: 0, to: 1 }, seen: 'The service has no reboot task.', suggests };
    const unknown = confirmed({ state: 'unknown', outcome: { search } });
    const view = renderRequestForm(settleForm(unknown), unknown.place);
    const select = view.blocks.find(({ block_id: id }) => id === 'state');
    const text = chosen && { type: 'plain_text', text: chosen.text, emoji: false };
    expect(select).toMatchObject({ element: chosen ? { initial_option: { ...chosen, text } } : {} });
    expect(JSON.stringify(select).includes('initial_option')).toBe(chosen !== undefined);
    expect(JSON.stringify(view)).toContain('Did `/cloud reboot web-1` run?');
  });

  it('begins with what most likely happened, and says when the target was seen in which state', () => {
    const search = {
      sent: { from: 0, to: 1 },
      seen: 'It most likely did not run.',
      suggests: 'failed' as const,
    };
    const sighting = report.parse({ title: 'web-1 is rebooting' });
    const look = { at: 1_763_700_300_000, title: 'web-1 is ACTIVE' };
    const outcome = { search, sighting, sightedAt: 1_763_700_000_000, look };
    const unknown = confirmed({ state: 'unknown', outcome });
    const [asked = ''] = outline(renderRequestForm(settleForm(unknown), unknown.place).blocks).split(
      '\ninput',
    );
    expect(asked.replaceAll(/<!date[^>]*>/gu, 'then')).toBe(
      'section: Did `/cloud reboot web-1` run? Your name and reason go into the audit log. ⏎ It most likely did not run. ⏎ *Seen* then: web-1 is rebooting. ⏎ *Checked* then: web-1 is ACTIVE.',
    );
  });

  it('asks once more before it settles as “It did not run” what may well have run', async () => {
    const context = contextOf(stage);
    const settle = async (seen: string, mayHaveRun?: true) => {
      const proposed = await stage.propose('alice', '/box kick web-1');
      const outcome = { search: { sent: { from: 0, to: 1 }, seen, mayHaveRun } };
      const lost = await context.store.advance({
        before: proposed,
        to: 'unknown',
        at: stage.clock.now(),
        changes: { endedAt: stage.clock.now(), outcome },
        audit: [],
      });
      if (!lost) throw new Error('not lost');
      const view = renderRequestForm(settleForm(lost), lost.place);
      const reason = { value: { type: 'plain_text_input', value: 'its uptime' } };
      const chosen = { type: 'static_select', selected_option: { value: 'failed' } };
      const state = { values: { reason, state: { value: chosen } } };
      const { callback_id, private_metadata } = view;
      const answer = await sendThrough(context, {
        ...submission,
        user: { ...submission.user, id: 'U0ALICE' },
        view: { ...submission.view, callback_id, private_metadata, state },
      });
      return { lost, answer };
    };
    const sure = await settle('The service has no kick task.');
    expect(sure.answer).toEqual([{ response_action: 'clear' }]);
    expect(await stage.store.find(sure.lost.id)).toMatchObject({ state: 'failed' });
    const { lost, answer } = await settle('Task t-1 was created when this was sent.', true);
    const { view } = answer[0] as { view: ModalView };
    expect([view.submit?.text, outline(view.blocks)]).toMatchInlineSnapshot(`
      [
        "It did not run",
        "section: *Are you sure that \`/box kick web-1\` did not run?* Task t-1 was created when this was sent.
      input reason (required): How you know [plain_text_input] value=its uptime",
      ]
    `);
    expect(await stage.store.find(lost.id)).toMatchObject({ state: 'unknown' });
    const events = async () =>
      (await stage.store.audit({ requestId: lost.id, limit: 9 })).map(({ event }) => event);
    expect(await events()).not.toContain('ignored click');
    opened = [view];
    expect(await enter('U0ALICE', 'its uptime')).toEqual([{ response_action: 'clear' }]);
    expect(await stage.store.find(lost.id)).toMatchObject({ state: 'failed' });
  });

  it('says next to the reason that nothing was settled without an outcome', async () => {
    const unknown = confirmed({ state: 'unknown' });
    const view = renderRequestForm(settleForm(unknown), unknown.place);
    opened = [{ ...view, blocks: view.blocks.filter(({ block_id: id }) => id === 'reason') }];
    expect(await enter('U0ALICE', 'saw it')).toEqual([
      { response_action: 'errors', errors: { reason: 'The outcome could not be settled. Try again.' } },
    ]);
  });
});

it('a form of another version of Bellhop does nothing, and says so', async () => {
  stage.rules([rule('confirm', { roles: ['responders'], typeName: true })]);
  const proposed = await stage.propose('alice', '/box kick web-1');
  await openTypeName(contextOf(stage), pressed(), proposed);
  const [answer, ...more] = await enter('U0ALICE', 'web-1', 'another');
  expect([more, answer]).toEqual([[], expect.objectContaining({ response_action: 'update' })]);
  expect(JSON.stringify(answer)).toContain('This form is from another version of Bellhop. Nothing was done.');
  expect(await stage.store.find(proposed.id)).toMatchObject({ state: 'proposed' });
});
