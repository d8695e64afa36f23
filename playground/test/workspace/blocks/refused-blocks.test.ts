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
  chart,
  image,
  card,
  container,
} from './block-parts.ts';

const refused: [string, unknown, string, Surface?][] = [
  ['no list', {}, 'must provide an array [json-pointer:/blocks]'],
  [
    '51 blocks in a message',
    Array.from({ length: 51 }, () => section()),
    'no more than 50 items allowed [json-pointer:/blocks]',
  ],
  [
    '101 blocks in a modal',
    Array.from({ length: 101 }, () => section()),
    'no more than 100 items allowed [json-pointer:/blocks]',
    'modal',
  ],
  ['an unknown block', [{ type: 'poster' }], 'unsupported type: "poster" [json-pointer:/blocks/0/type]'],
  ['no type', [{}], 'missing required field: type [json-pointer:/blocks/0]'],
  [
    'a long section',
    [section({ text: mrkdwn('x'.repeat(3_001)) })],
    'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'an empty section text',
    [section({ text: mrkdwn('') })],
    'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'a section of nothing',
    [{ type: 'section' }],
    'missing required field: text or fields [json-pointer:/blocks/0]',
  ],
  [
    '11 fields',
    [{ type: 'section', fields: Array.from({ length: 11 }, () => mrkdwn('x')) }],
    'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
  ],
  [
    'a long field',
    [{ type: 'section', fields: [mrkdwn('x'.repeat(2_001))] }],
    'must be less than 2001 characters [json-pointer:/blocks/0/fields/0/text]',
  ],
  [
    'mrkdwn in a header',
    [{ type: 'header', text: mrkdwn('x') }],
    'must be a valid enum value [json-pointer:/blocks/0/text/type]',
  ],
  [
    'a long header',
    [{ type: 'header', text: plain('x'.repeat(151)) }],
    'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'an unknown field',
    [section({ colour: 'red' })],
    'invalid additional property: colour [json-pointer:/blocks/0]',
  ],
  [
    'a number for a text',
    [{ type: 'markdown', text: 3 }],
    'must provide a string [json-pointer:/blocks/0/text]',
  ],
  ['a missing text', [{ type: 'header' }], 'missing required field: text [json-pointer:/blocks/0]'],
  [
    'the second block',
    [section(), { type: 'header' }],
    'missing required field: text [json-pointer:/blocks/1]',
  ],
  [
    '26 buttons',
    [actions(...Array.from({ length: 26 }, (_, i) => button({ action_id: `b${i}` })))],
    'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
  ],
  ['no buttons', [actions()], 'no fewer than 1 items required [json-pointer:/blocks/0/elements]'],
  [
    'a long button',
    [actions(button({ text: plain('x'.repeat(76)) }))],
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
  ],
  [
    'a long value',
    [actions(button({ value: 'x'.repeat(2_001) }))],
    'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]',
  ],
  [
    'an unknown style',
    [actions(button({ style: 'blue' }))],
    'must be a valid enum value [json-pointer:/blocks/0/elements/0/style]',
  ],
  [
    'a long action_id',
    [actions(button({ action_id: 'x'.repeat(256) }))],
    'must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]',
  ],
  [
    'an action_id twice',
    [actions(button(), button())],
    '`action_id` go already exists [json-pointer:/blocks/0]',
  ],
  [
    'a block_id twice',
    [section({ block_id: 'b' }), section({ block_id: 'b' })],
    '`block_id` b already exists [json-pointer:/blocks/1/block_id]',
  ],
  [
    'an input in actions',
    [actions({ type: 'plain_text_input' })],
    'unsupported type: "plain_text_input" [json-pointer:/blocks/0/elements/0/type]',
  ],
  [
    'a button as input',
    [input(button())],
    'unsupported type: "button" [json-pointer:/blocks/0/element/type]',
    'modal',
  ],
  [
    '101 options',
    [actions({ type: 'static_select', options: options(101) })],
    'no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'a select of nothing',
    [actions({ type: 'static_select' })],
    'must provide exactly one of options or option_groups [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'a long option',
    [actions({ type: 'static_select', options: [option('x'.repeat(76))] })],
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]',
  ],
  [
    'an initial option that is not an option',
    [actions({ type: 'static_select', options: options(2), initial_option: option('other') })],
    'initial option must be one of the options [json-pointer:/blocks/0/elements/0]',
  ],
  [
    '11 checkboxes',
    [actions({ type: 'checkboxes', options: options(11) })],
    'no more than 10 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    '6 entries of a menu',
    [actions({ type: 'overflow', options: options(6) })],
    'no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'a wrong date',
    [actions({ type: 'datepicker', initial_date: '21.11.2026' })],
    'must be a valid date [json-pointer:/blocks/0/elements/0/initial_date]',
  ],
  [
    'an image without alt_text',
    [{ type: 'image', image_url: 'https://a.example/b.png' }],
    'missing required field: alt_text [json-pointer:/blocks/0]',
  ],
  [
    'an image of nothing',
    [{ type: 'image', alt_text: 'x' }],
    'must provide exactly one of image_url or slack_file [json-pointer:/blocks/0]',
  ],
  [
    'a file that is not there',
    [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0OTHER' } }],
    'invalid slack file [json-pointer:/blocks/0/slack_file]',
  ],
  [
    '11 in a context',
    [{ type: 'context', elements: Array.from({ length: 11 }, () => mrkdwn('x')) }],
    'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'a confirmation too long',
    [actions(button({ confirm: { title: plain('x'.repeat(101)), text: plain('y') } }))],
    'must be less than 101 characters [json-pointer:/blocks/0/elements/0/confirm/title/text]',
  ],
  [
    'a file input in a message',
    [input({ type: 'file_input' })],
    'unsupported type: file_input [json-pointer:/blocks/0/element/type]',
  ],
  [
    'a file input in a container on the Home tab',
    [container(input({ type: 'file_input' }))],
    'unsupported type: file_input [json-pointer:/blocks/0/child_blocks/0/element/type]',
    'home',
  ],
  [
    'an icon that Slack does not have',
    [card({ slack_icon: { type: 'icon', name: 'server' } })],
    'must be a valid enum value [json-pointer:/blocks/0/slack_icon/name]',
  ],
  [
    'a picture and an icon of Slack',
    [card({ icon: image, slack_icon: { type: 'icon', name: 'rocket' } })],
    'must provide only one of icon or slack_icon [json-pointer:/blocks/0]',
  ],
  [
    'an alert in a message',
    [{ type: 'alert', text: mrkdwn('x') }],
    'unsupported type: alert [json-pointer:/blocks/0/type]',
  ],
  [
    'a chart in a modal',
    [chart()],
    'unsupported type: data_visualization [json-pointer:/blocks/0/type]',
    'modal',
  ],
  [
    'markdown on the Home tab',
    [{ type: 'markdown', text: 'x' }],
    'unsupported type: markdown [json-pointer:/blocks/0/type]',
    'home',
  ],
];

describe('blocks that are refused', () => {
  it.each(refused)('%s', (_name, blocks, message, surface = 'message') => {
    const checked = check(blocks, surface);
    expect(checked).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(checked.ok ? [] : checked.messages).toContain(message);
  });
});
