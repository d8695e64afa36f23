import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { listen, openSlack, viewOf, type LocalSlack } from '../open-slack.ts';
import { field, modal, openModal, plain, triggerOf } from './sample-modal.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const open = (view?: object) => openModal(slack, view);
const trigger = () => triggerOf(slack);
const submit = (view_id: string, values: object = {}) => slack.gesture('submit', { view_id, values });
const modals = async () => (await slack.state()).modals;

describe('views.open', () => {
  it('opens a modal in the page of anyone who caused it', async () => {
    const page = await listen(slack, 'U0ALICE', 'page-1');
    const other = await listen(slack, 'U0ALICE', 'page-2');
    const view = await open();
    expect(view).toMatchObject({
      type: 'modal',
      callback_id: 'form',
      private_metadata: 'meta',
      root_view_id: view.id,
      previous_view_id: null,
      state: { values: { name: { value: { value: 'bucket' } } } },
    });
    await until(() => page.events.some(({ event }) => event.type === 'view-opened'));
    expect(other.events.filter(({ event }) => event.type === 'view-opened')).toEqual([]);
    expect(await modals()).toMatchObject([{ id: view.id }]);
    page.stop();
    other.stop();
  });

  it('begins with the conversation that the person was looking at, where a select asks for it', async () => {
    const select = { type: 'conversations_select', default_to_current_conversation: true };
    const several = { ...select, type: 'multi_conversations_select' };
    const view = await open(modal({ blocks: [field('one', select), field('many', several)] }));
    await submit(view.id);
    expect(slack.app.received.at(-1)?.payload).toMatchObject({
      view: {
        state: {
          values: {
            one: { value: { selected_conversation: 'C0OPS' } },
            many: { value: { selected_conversations: ['C0OPS'] } },
          },
        },
      },
    });
  });

  it('takes a trigger once', async () => {
    const trigger_id = await trigger();
    expect(await slack.api('views.open', { trigger_id, view: modal() })).toMatchObject({ ok: true });
    expect(await slack.api('views.open', { trigger_id, view: modal() })).toMatchObject({
      ok: false,
      error: 'exchanged_trigger_id',
    });
  });

  it('takes a trigger within 3 seconds', async () => {
    const trigger_id = await trigger();
    slack.advance(3_001);
    expect(await slack.api('views.open', { trigger_id, view: modal() })).toMatchObject({
      ok: false,
      error: 'expired_trigger_id',
    });
  });

  it.each([
    ['an unknown trigger', {}, 'invalid_trigger_id', []],
    [
      'a long title',
      { title: plain('x'.repeat(25)) },
      'invalid_arguments',
      ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    ],
    [
      'inputs without submit',
      { submit: null },
      'invalid_arguments',
      ['[ERROR] missing required field: submit [json-pointer:/view]'],
    ],
    [
      'a bad block',
      { blocks: [{ type: 'header' }] },
      'invalid_arguments',
      ['[ERROR] missing required field: text [json-pointer:/view/blocks/0]'],
    ],
    [
      'long metadata',
      { private_metadata: 'x'.repeat(3_001) },
      'invalid_arguments',
      ['[ERROR] must be less than 3001 characters [json-pointer:/view/private_metadata]'],
    ],
  ])('refuses %s', async (_name, extra, error, messages) => {
    const answer = await slack.api('views.open', { trigger_id: 'none', view: modal(extra) });
    expect(answer).toMatchObject({
      ok: false,
      error,
      ...(messages.length > 0 && { response_metadata: { messages } }),
    });
  });
});

describe('views.update', () => {
  it('replaces a view, by id or external id, and gives it a new hash', async () => {
    const view = await open(modal({ external_id: 'mine' }));
    const answer = await slack.api('views.update', {
      external_id: 'mine',
      view: modal({ external_id: 'mine', title: plain('Two') }),
    });
    expect(answer).toMatchObject({ ok: true, view: { id: view.id, title: plain('Two') } });
    expect(viewOf(answer).hash).not.toBe(view.hash);
  });

  it('refuses an old hash with hash_conflict', async () => {
    const view = await open();
    expect(
      await slack.api('views.update', { view_id: view.id, hash: view.hash, view: modal() }),
    ).toMatchObject({ ok: true });
    expect(
      await slack.api('views.update', { view_id: view.id, hash: view.hash, view: modal() }),
    ).toMatchObject({ ok: false, error: 'hash_conflict' });
  });

  it('refuses a view that is gone', async () => {
    expect(await slack.api('views.update', { view_id: 'V0NONE', view: modal() })).toMatchObject({
      ok: false,
      error: 'not_found',
    });
  });
});

const CLICKABLE = {
  blocks: [
    {
      type: 'actions',
      block_id: 'b',
      elements: [{ type: 'button', action_id: 'more', text: plain('More') }],
    },
  ],
};

async function clickIn(view_id: string): Promise<string> {
  await slack.gesture('action', {
    container: { type: 'view', view_id },
    block_id: 'b',
    action_id: 'more',
    value: { type: 'button' },
  });
  const payload = slack.app.received.at(-1)?.payload;
  expect(payload).toMatchObject({
    type: 'block_actions',
    container: { type: 'view', view_id },
    view: { id: view_id },
  });
  return String(payload?.trigger_id);
}

describe('views.push', () => {
  it('puts views on top, up to three', async () => {
    const first = await open(modal(CLICKABLE));
    const second = await slack.api('views.push', {
      trigger_id: await clickIn(first.id),
      view: modal(CLICKABLE),
    });
    expect(second.view).toMatchObject({ previous_view_id: first.id, root_view_id: first.id });
    const third = await slack.api('views.push', {
      trigger_id: await clickIn(viewOf(second).id),
      view: modal(CLICKABLE),
    });
    expect(third.ok).toBe(true);
    const fourth = await slack.api('views.push', {
      trigger_id: await clickIn(viewOf(third).id),
      view: modal(CLICKABLE),
    });
    expect(fourth).toMatchObject({ ok: false, error: 'push_limit_reached' });
    expect(await modals()).toHaveLength(3);
  });

  it('needs a modal to push onto', async () => {
    expect(await slack.api('views.push', { trigger_id: await trigger(), view: modal() })).toMatchObject({
      ok: false,
      error: 'not_found',
    });
  });
});

async function closed(notify_on_close: boolean, all: boolean) {
  const view = await open(modal({ notify_on_close }));
  await slack.gesture('close', { view_id: view.id, all });
  expect(await modals()).toEqual([]);
  await slack.gesture('send', { text: '/cloud ips', channel: 'C0OPS' });
  return { view, told: slack.app.received.filter(({ payload }) => payload.type === 'view_closed') };
}

describe('closing a modal', () => {
  it.each([true, false])('notifies the app if its view asks for that (all of them: %s)', async (all) => {
    const { view, told } = await closed(true, all);
    expect(told).toMatchObject([{ payload: { is_cleared: all, view: { id: view.id } } }]);
  });

  it('tells the app nothing where it did not', async () => {
    expect((await closed(false, false)).told).toEqual([]);
  });
});
