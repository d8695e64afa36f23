import { checkBlocks } from '../../../../src/local/workspace/blocks/check-blocks.ts';
import type { Surface } from '../../../../src/local/workspace/limits.ts';

export const check = (blocks: unknown, surface: Surface = 'message') =>
  checkBlocks(blocks, {
    surface,
    at: '/blocks',
    newBlockId: () => 'made',
    hasFile: (id) => id === 'F0KNOWN',
  });

export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
export const section = (extra = {}) => ({ type: 'section', text: mrkdwn('hello'), ...extra });
export const button = (extra = {}) => ({ type: 'button', text: plain('Go'), action_id: 'go', ...extra });
export const option = (text: string) => ({ text: plain(text), value: text });
export const options = (count: number) => Array.from({ length: count }, (_, i) => option(`o${i}`));
export const actions = (...elements: object[]) => ({ type: 'actions', elements });
export const input = (element: object) => ({ type: 'input', label: plain('Name'), element });
export const rich = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
export const raw = (text: string) => ({ type: 'raw_text', text });
export const dataTable = (extra = {}) => ({
  type: 'data_table',
  caption: 'Addresses',
  rows: [
    [raw('Name'), raw('Size')],
    [raw('a'), { type: 'raw_number', value: 1, text: '1' }],
  ],
  ...extra,
});
export const chart = (extra = {}, top = {}) => ({
  type: 'data_visualization',
  title: 'Requests',
  chart: {
    type: 'line',
    series: [{ name: 'edge', data: [{ label: '10:00', value: 1 }] }],
    axis_config: { categories: ['10:00'] },
    ...extra,
  },
  ...top,
});
export const task = { type: 'task_card', task_id: 't1', title: 'Reboot', status: 'complete' };
