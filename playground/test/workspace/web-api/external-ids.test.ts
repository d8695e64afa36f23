import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSlack, viewOf, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const plain = (text: string) => ({ type: 'plain_text', text });
const modal = (external_id: string) => ({
  type: 'modal',
  title: plain('Form'),
  submit: plain('Save'),
  blocks: [{ type: 'section', text: plain('Sure?') }],
  external_id,
});
const home = (external_id: string) => ({ type: 'home', blocks: [{ type: 'divider' }], external_id });

async function trigger(session: string): Promise<string> {
  await slack.gesture('send', { text: '/cloud form', channel: 'C0OPS', session });
  return String(slack.app.received.at(-1)?.form['trigger_id']);
}
const open = async (external_id: string, session = 'page-1') =>
  slack.api('views.open', { trigger_id: await trigger(session), view: modal(external_id) });
const publish = (user_id: string, external_id: string) =>
  slack.api('views.publish', { user_id, view: home(external_id) });

const duplicate = { ok: false, error: 'duplicate_external_id' };

describe('an external_id names one view of the workspace', () => {
  it('and is refused for another modal, on whatever page, until its view is closed', async () => {
    const { id: view_id } = viewOf(await open('mine'));
    expect(await open('mine', 'page-2')).toMatchObject(duplicate);
    expect((await slack.state()).modals).toMatchObject([{ id: view_id }]);
    await slack.gesture('close', { view_id, all: false });
    expect(await open('mine', 'page-2')).toMatchObject({ ok: true });
  });

  it('and is refused for a view that is updated to it', async () => {
    await open('mine');
    const { id: view_id } = viewOf(await open('other', 'page-2'));
    expect(await slack.api('views.update', { view_id, view: modal('mine') })).toMatchObject(duplicate);
    expect(await slack.api('views.update', { view_id, view: modal('other') })).toMatchObject({ ok: true });
  });

  it('and is refused for the Home view of another person', async () => {
    expect(await publish('U0ALICE', 'mine')).toMatchObject({ ok: true });
    expect(await publish('U0BOB', 'mine')).toMatchObject(duplicate);
    expect(await publish('U0ALICE', 'mine')).toMatchObject({ ok: true });
  });

  it('and is refused where a view is pushed, by the method and as the answer to a form', async () => {
    const { id: view_id } = viewOf(await open('mine'));
    let triggerId: unknown;
    slack.app.answer = (received, response) => {
      triggerId = received.payload.trigger_id;
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ response_action: 'push', view: modal('mine') }));
    };
    expect(await slack.gesture('submit', { view_id, values: {} })).toMatchObject({
      ok: false,
      error: 'invalid_response',
    });
    expect(await slack.api('views.push', { trigger_id: triggerId, view: modal('mine') })).toMatchObject(
      duplicate,
    );
    expect((await slack.state()).modals).toHaveLength(1);
  });
});
