import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../../test/until.ts';
import { listen, openSlack, type LocalSlack } from '../open-slack.ts';
import { modal, openModal, plain } from './sample-modal.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const open = (view?: object) => openModal(slack, view);
const submit = (view_id: string, values: object = {}) => slack.gesture('submit', { view_id, values });
const modals = async () => (await slack.state()).modals;

async function answered(body: object) {
  const view = await open();
  slack.app.answer = (_received, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  return { view, outcome: await submit(view.id) };
}

describe('a submission', () => {
  it('carries the values, the metadata and who submitted, and closes the view', async () => {
    const view = await open();
    expect(await submit(view.id, { size: { value: { type: 'number_input', value: '3' } } })).toEqual({
      ok: true,
    });
    expect(slack.app.received.at(-1)?.payload).toMatchObject({
      type: 'view_submission',
      user: { id: 'U0ALICE', team_id: 'T0LOCAL' },
      view: {
        id: view.id,
        hash: view.hash,
        private_metadata: 'meta',
        state: {
          values: {
            name: { value: { type: 'plain_text_input', value: 'bucket' } },
            size: { value: { type: 'number_input', value: '3' } },
          },
        },
      },
    });
    expect(await modals()).toEqual([]);
  });

  it.each([
    [
      'a required field that is empty',
      { name: { value: { type: 'plain_text_input', value: null } } },
      { name: 'Please complete this required field.' },
    ],
    ['no number', { size: { value: { type: 'number_input', value: 'x' } } }, { size: 'Enter a number.' }],
    [
      'a fraction',
      { size: { value: { type: 'number_input', value: '1.5' } } },
      { size: 'Enter a whole number.' },
    ],
    ['too much', { size: { value: { type: 'number_input', value: '10' } } }, { size: 'Enter at most 9.' }],
  ])('with %s does not leave the page', async (_name, values, errors) => {
    const page = await listen(slack, 'U0ALICE', 'page-1');
    const view = await open();
    const before = slack.app.received.length;
    expect(await submit(view.id, values)).toMatchObject({ ok: false, error: 'view_errors' });
    const shown = await until(() => page.events.find(({ event }) => event.type === 'view-errors'));
    expect(shown.event).toEqual({ type: 'view-errors', view_id: view.id, errors });
    expect(slack.app.received).toHaveLength(before);
    page.stop();
  });

  it('can be answered with errors, which stay in the view', async () => {
    const { outcome } = await answered({
      response_action: 'errors',
      errors: { name: 'There is no such bucket' },
    });
    expect(outcome).toMatchObject({ ok: false, error: 'view_errors' });
    expect(await modals()).toHaveLength(1);
  });

  it('can be answered with an update', async () => {
    const { view, outcome } = await answered({
      response_action: 'update',
      view: modal({ title: plain('Next') }),
    });
    expect(outcome).toEqual({ ok: true });
    expect(await modals()).toMatchObject([{ id: view.id, title: plain('Next') }]);
  });

  it('can be answered with another view on top', async () => {
    const { view } = await answered({ response_action: 'push', view: modal({ title: plain('Next') }) });
    expect(await modals()).toMatchObject([{ id: view.id }, { title: plain('Next') }]);
  });

  it('can be answered by clearing everything', async () => {
    await answered({ response_action: 'clear' });
    expect(await modals()).toEqual([]);
  });

  it.each([
    ['an unknown action', { response_action: 'explode' }],
    ['an invalid view', { response_action: 'update', view: { type: 'modal' } }],
    ['errors of a block that is not there', { response_action: 'errors', errors: { other: 'x' } }],
  ])('that is answered with %s is in trouble, and the view stays', async (_name, body) => {
    const { outcome } = await answered(body);
    expect(outcome).toMatchObject({
      ok: false,
      error: 'invalid_response',
      message: 'We had some trouble connecting. Try again?',
    });
    expect(await modals()).toHaveLength(1);
  });

  it('without an acknowledgement in 3 seconds is in trouble, and the view stays', async () => {
    const view = await open();
    slack.app.answer = () => undefined;
    const before = slack.app.received.length;
    const outcome = submit(view.id);
    await until(() => slack.app.received.length > before);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({
      ok: false,
      error: 'operation_timeout',
      message: 'We had some trouble connecting. Try again?',
    });
    expect(await modals()).toHaveLength(1);
  });

  it('of a view that is closed is refused', async () => {
    const view = await open();
    await slack.gesture('close', { view_id: view.id, all: false });
    expect(await submit(view.id)).toMatchObject({ ok: false, error: 'not_found' });
  });
});
