import { type LocalSlack, viewOf } from '../open-slack.ts';

export const plain = (text: string) => ({ type: 'plain_text', text });

export const field = (block_id: string, element: object, optional = false) => ({
  type: 'input',
  block_id,
  label: plain(block_id),
  optional,
  element: { action_id: 'value', ...element },
});

export const modal = (extra: object = {}) => ({
  type: 'modal',
  callback_id: 'form',
  private_metadata: 'meta',
  title: plain('Raw logs'),
  submit: plain('Save'),
  blocks: [
    field('name', { type: 'plain_text_input', initial_value: 'bucket' }),
    field('size', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' }, true),
  ],
  ...extra,
});

export async function triggerOf(slack: LocalSlack): Promise<string> {
  await slack.gesture('send', { text: '/cloud form', channel: 'C0OPS' });
  return String(slack.app.received.at(-1)?.form['trigger_id']);
}

export async function openModal(slack: LocalSlack, view: object = modal()) {
  return viewOf(await slack.api('views.open', { trigger_id: await triggerOf(slack), view }));
}
