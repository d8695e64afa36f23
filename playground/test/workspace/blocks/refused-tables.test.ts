import { describe, expect, it } from 'vitest';
import type { Surface } from '../../../workspace/limits.ts';
import {
  check,
  mrkdwn,
  section,
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
  trash,
} from './block-parts.ts';

const refused: [string, unknown, string, Surface?][] = [
  [
    'a table in a modal',
    [{ type: 'table', rows: [[raw('a')]] }],
    'unsupported type: table [json-pointer:/blocks/0/type]',
    'modal',
  ],
  [
    '101 rows of a table',
    [{ type: 'table', rows: Array.from({ length: 101 }, () => [raw('a')]) }],
    'no more than 100 items allowed [json-pointer:/blocks/0/rows]',
  ],
  [
    '21 columns',
    [{ type: 'table', rows: [Array.from({ length: 21 }, () => raw('a'))] }],
    'no more than 20 items allowed [json-pointer:/blocks/0/rows/0]',
  ],
  [
    '10,001 characters in a table',
    [{ type: 'table', rows: [[raw('x'.repeat(10_001))]] }],
    'must be less than 10001 characters in all cells [json-pointer:/blocks/0/rows]',
  ],
  [
    'an empty cell',
    [{ type: 'table', rows: [[raw('')]] }],
    'must be more than 0 characters [json-pointer:/blocks/0/rows/0/0/text]',
  ],
  [
    'a data table without caption',
    [dataTable({ caption: undefined })],
    'missing required field: caption [json-pointer:/blocks/0]',
  ],
  [
    'a data table of a header',
    [dataTable({ rows: [[raw('a')]] })],
    'no fewer than 2 items required [json-pointer:/blocks/0/rows]',
  ],
  [
    '202 rows of a data table',
    [dataTable({ rows: Array.from({ length: 202 }, () => [raw('a')]) })],
    'no more than 201 items allowed [json-pointer:/blocks/0/rows]',
  ],
  [
    'rich text in a header',
    [dataTable({ rows: [[rich('a')], [raw('b')]] })],
    'must not have rich_text in the header [json-pointer:/blocks/0/rows/0]',
  ],
  [
    'a ragged data table',
    [dataTable({ rows: [[raw('a')], [raw('b'), raw('c')]] })],
    'must have 1 cells like the header [json-pointer:/blocks/0/rows/1]',
  ],
  [
    'a page of 101',
    [dataTable({ page_size: 101 })],
    'must be at most 100 [json-pointer:/blocks/0/page_size]',
  ],
  [
    'a long chart title',
    [chart({}, { title: 'x'.repeat(51) })],
    'must be less than 51 characters [json-pointer:/blocks/0/title]',
  ],
  [
    'a chart of 21 points',
    [chart({ axis_config: { categories: Array.from({ length: 21 }, (_, i) => `${i}`) } })],
    'no more than 20 items allowed [json-pointer:/blocks/0/chart/axis_config/categories]',
  ],
  [
    '7 series',
    [
      chart({
        series: Array.from({ length: 7 }, (_, i) => ({ name: `${i}`, data: [{ label: '10:00', value: 1 }] })),
      }),
    ],
    'no more than 6 items allowed [json-pointer:/blocks/0/chart/series]',
  ],
  [
    'a series with gaps',
    [chart({ axis_config: { categories: ['10:00', '11:00'] } })],
    'must have one point for every category [json-pointer:/blocks/0/chart/series/0/data]',
  ],
  [
    'a long label',
    [chart({}, { chart: { type: 'pie', segments: [{ label: 'x'.repeat(21), value: 1 }] } })],
    'must be less than 21 characters [json-pointer:/blocks/0/chart/segments/0/label]',
  ],
  [
    'three charts',
    [chart(), chart(), chart()],
    'no more than 2 data_visualization blocks allowed [json-pointer:/blocks]',
  ],
  [
    '12,001 characters of markdown',
    [
      { type: 'markdown', text: 'x'.repeat(6_001) },
      { type: 'markdown', text: 'x'.repeat(6_000) },
    ],
    'must be less than 12001 characters of markdown [json-pointer:/blocks]',
  ],
  [
    'an unknown state of a task',
    [{ ...task, status: 'done' }],
    'must be a valid enum value [json-pointer:/blocks/0/status]',
  ],
  [
    'an unknown rich text element',
    [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'gif' }] }] }],
    'unsupported type: "gif" [json-pointer:/blocks/0/elements/0/elements/0/type]',
  ],
  [
    'a card of nothing',
    [{ type: 'card', icon: image, subtitle: mrkdwn('x') }],
    'missing required field: hero_image, title, actions or body [json-pointer:/blocks/0]',
  ],
  [
    'a long title of a card',
    [card({ title: mrkdwn('x'.repeat(151)) })],
    'must be less than 151 characters [json-pointer:/blocks/0/title/text]',
  ],
  [
    '11 cards',
    [{ type: 'carousel', elements: Array.from({ length: 11 }, () => card()) }],
    'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'a container without a title',
    [{ type: 'container', child_blocks: [section()] }],
    'missing required field: title or rich_text_title [json-pointer:/blocks/0]',
  ],
  [
    'a container in a container',
    [container(container(section()))],
    'unsupported type: "container" [json-pointer:/blocks/0/child_blocks/0/type]',
  ],
  [
    'a block_id twice, once within',
    [section({ block_id: 'b' }), container(section({ block_id: 'b' }))],
    '`block_id` b already exists [json-pointer:/blocks/1/child_blocks/0/block_id]',
  ],
  [
    '6 context actions',
    [{ type: 'context_actions', elements: Array.from({ length: 6 }, () => trash) }],
    'no more than 5 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'a video over plain http',
    [video({ video_url: 'http://a.example/v' })],
    'must be a valid https url [json-pointer:/blocks/0/video_url]',
  ],
  ['a card in a modal', [card()], 'unsupported type: card [json-pointer:/blocks/0/type]', 'modal'],
  [
    'two focused elements',
    [
      input({ type: 'plain_text_input', focus_on_load: true }),
      input({ type: 'plain_text_input', focus_on_load: true }),
    ],
    'only one element may be focused on load [json-pointer:/blocks/1/element/focus_on_load]',
    'modal',
  ],
];

describe('tables, lists and cards that are refused', () => {
  it.each(refused)('%s', (_name, blocks, message, surface = 'message') => {
    const checked = check(blocks, surface);
    expect(checked).toMatchObject({ ok: false, error: 'invalid_blocks' });
    expect(checked.ok ? [] : checked.messages).toContain(message);
  });

  const plainTable = { type: 'table', rows: [[raw('a')]] };
  it.each([
    ['two tables', [plainTable, plainTable]],
    ['two data tables', [dataTable(), dataTable()]],
    ['a table and a data table', [plainTable, section(), dataTable()]],
    ['a second table in a container', [dataTable(), container(plainTable)]],
  ])('%s are too many for one message', (_name, blocks) => {
    expect(check(blocks)).toEqual({
      ok: false,
      error: 'invalid_attachments',
      messages: ['only_one_table_allowed [json-pointer:/blocks]'],
    });
  });

  it('more than 13,000 characters are msg_blocks_too_long, tables apart', () => {
    const long = Array.from({ length: 5 }, () => section({ text: mrkdwn('x'.repeat(2_700)) }));
    expect(check(long)).toMatchObject({ ok: false, error: 'msg_blocks_too_long' });
    const table = dataTable({ rows: [[raw('a')], [raw('x'.repeat(19_000))]] });
    expect(check([...long.slice(0, 4), table])).toMatchObject({ ok: true });
  });
});
