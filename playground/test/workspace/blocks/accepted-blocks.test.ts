import { describe, expect, it } from 'vitest';
import type { Surface } from '../../../workspace/limits.ts';
import {
  check,
  plain,
  mrkdwn,
  section,
  button,
  option,
  options,
  actions,
  input,
  rich,
  raw,
  dataTable,
  chart,
  task,
  image,
  card,
  container,
  video,
  feedback,
  trash,
} from './block-parts.ts';

const accepted: [string, object, Surface?][] = [
  ['a header', { type: 'header', text: plain('x'.repeat(150)) }],
  ['a section with 10 fields', { type: 'section', fields: Array.from({ length: 10 }, () => mrkdwn('x')) }],
  ['a section with a button', section({ accessory: button({ style: 'danger', value: 'x'.repeat(2_000) }) })],
  [
    'a section with a picture',
    section({ accessory: { type: 'image', image_url: 'https://a.example/b.png', alt_text: '' } }),
  ],
  [
    'a context',
    {
      type: 'context',
      elements: [mrkdwn('x'), plain('y'), { type: 'image', slack_file: { id: 'F0KNOWN' }, alt_text: 'z' }],
    },
  ],
  ['a divider', { type: 'divider' }],
  ['an image', { type: 'image', image_url: 'https://a.example/b.png', alt_text: 'chart', title: plain('t') }],
  ['an uploaded image', { type: 'image', slack_file: { id: 'F0KNOWN' }, alt_text: 'chart' }],
  ['rich text', rich('hello')],
  [
    'a nested list',
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_list',
          style: 'bullet',
          indent: 1,
          elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0BOB' }] }],
        },
      ],
    },
  ],
  ['markdown', { type: 'markdown', text: '**bold**' }],
  ['a table', { type: 'table', rows: [[raw('a'), rich('b')]], column_settings: [{ align: 'right' }, null] }],
  ['a data table', dataTable({ page_size: 10, row_header_column_index: 1 })],
  ['a line chart', chart()],
  ['a pie', chart({}, { chart: { type: 'pie', segments: [{ label: 'a', value: 1 }] } })],
  [
    'a task card',
    { ...task, output: rich('done'), sources: [{ type: 'url', url: 'https://a.example', text: 'a' }] },
  ],
  ['a plan', { type: 'plan', title: 'Restart', tasks: [task] }],
  ['an alert in a modal', { type: 'alert', text: mrkdwn('careful'), level: 'warning' }, 'modal'],
  ['25 buttons', actions(...Array.from({ length: 25 }, (_, i) => button({ action_id: `b${i}` })))],
  [
    'a button with a confirmation',
    actions(
      button({
        confirm: {
          title: plain('Sure?'),
          text: plain('Really'),
          confirm: plain('Yes'),
          deny: plain('No'),
          style: 'danger',
        },
      }),
    ),
  ],
  [
    'a static select',
    actions({
      type: 'static_select',
      options: options(100),
      initial_option: option('o3'),
      placeholder: plain('Choose'),
    }),
  ],
  [
    'a select with groups',
    actions({ type: 'static_select', option_groups: [{ label: plain('g'), options: options(2) }] }),
  ],
  ['an external select', actions({ type: 'external_select', min_query_length: 0 })],
  [
    'users, channels and conversations',
    actions(
      { type: 'users_select' },
      { type: 'channels_select' },
      { type: 'conversations_select', default_to_current_conversation: true },
    ),
  ],
  ['multi selects', input({ type: 'multi_static_select', options: options(2), max_selected_items: 1 })],
  [
    'an overflow menu',
    actions({ type: 'overflow', options: [{ ...option('a'), url: 'https://a.example' }] }),
  ],
  ['checkboxes in mrkdwn', actions({ type: 'checkboxes', options: [{ text: mrkdwn('*a*'), value: 'a' }] })],
  ['radio buttons', actions({ type: 'radio_buttons', options: options(10) })],
  [
    'pickers',
    actions(
      { type: 'datepicker', initial_date: '2026-11-21' },
      { type: 'timepicker', initial_time: '13:45' },
      { type: 'datetimepicker', initial_date_time: 1_700_000_000 },
    ),
  ],
  [
    'a plain text input',
    input({ type: 'plain_text_input', multiline: true, min_length: 1, max_length: 3_000 }),
    'modal',
  ],
  [
    'a number input',
    input({ type: 'number_input', is_decimal_allowed: false, min_value: '0', max_value: '9' }),
    'modal',
  ],
  [
    'url and email inputs',
    input({ type: 'url_text_input', dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } }),
    'modal',
  ],
  [
    'choices described in mrkdwn',
    actions(
      { type: 'checkboxes', options: [{ ...option('a'), description: mrkdwn('*careful*') }] },
      { type: 'radio_buttons', options: [{ ...option('a'), description: mrkdwn('*careful*') }] },
    ),
  ],
  [
    'rich text that is highlighted, not linked, and an emoji with a skin tone',
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'user', user_id: 'U0BOB', style: { highlight: true, client_highlight: true } },
            { type: 'usergroup', usergroup_id: 'S0ONCALL', style: { unlink: true } },
            { type: 'emoji', name: 'wave', skin_tone: 3 },
          ],
        },
      ],
    },
  ],
  [
    'an image as Slack gives it back',
    {
      ...image,
      fallback: '640x480px image',
      image_width: 640,
      image_height: 480,
      image_bytes: 1234,
      is_animated: false,
    },
  ],
  ['a card', card({ hero_image: image, icon: image, subtitle: mrkdwn('s'), body: mrkdwn('b') })],
  ['a card with an icon of Slack', card({ slack_icon: { type: 'icon', name: 'rocket' } })],
  ['a carousel', { type: 'carousel', elements: [card(), card()] }],
  ['a container', { ...container(section(), actions(button())), is_collapsible: true, width: 'wide' }],
  ['context actions', { type: 'context_actions', elements: [feedback, trash] }],
  ['a video', video({ title_url: 'https://a.example/watch', author_name: 'Carol' })],
  ['a file input', input({ type: 'file_input', filetypes: ['csv'], max_files: 1 }), 'modal'],
];

describe('blocks that are accepted', () => {
  it.each(accepted)('%s', (_name, block, surface = 'message') => {
    const checked = check([block], surface);
    expect(checked).toMatchObject({ ok: true, blocks: [{ block_id: 'made' }] });
  });

  it('give ids to the elements in them', () => {
    expect(check([{ type: 'carousel', elements: [card({ block_id: 'mine' }), card()] }])).toMatchObject({
      ok: true,
      blocks: [{ block_id: 'made', elements: [{ block_id: 'mine' }, { block_id: 'made' }] }],
    });
    expect(
      check([container({ type: 'actions', elements: [{ type: 'button', text: plain('Go') }] })]),
    ).toMatchObject({
      ok: true,
      blocks: [{ child_blocks: [{ block_id: 'made', elements: [{ action_id: 'made' }] }] }],
    });
  });

  it('keep the ids that they have, and get those that they lack', () => {
    const checked = check([
      { ...section(), block_id: 'mine' },
      actions({ type: 'button', text: plain('Go') }),
    ]);
    expect(checked).toMatchObject({
      ok: true,
      blocks: [{ block_id: 'mine' }, { block_id: 'made', elements: [{ action_id: 'made' }] }],
    });
  });
});
