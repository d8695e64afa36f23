import { checkBlocks } from '../../../workspace/blocks/check-blocks.ts';
import type { Surface } from '../../../workspace/limits.ts';

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
export const image = { type: 'image', image_url: 'https://a.example/b.png', alt_text: 'A picture' };
export const card = (extra = {}) => ({
  type: 'card',
  title: mrkdwn('*web-1*'),
  actions: [button()],
  ...extra,
});
export const container = (...child_blocks: object[]) => ({
  type: 'container',
  title: plain('Details'),
  child_blocks,
});
export const video = (extra = {}) => ({
  type: 'video',
  video_url: 'https://a.example/v',
  thumbnail_url: 'https://a.example/v.png',
  alt_text: 'How to reboot',
  title: plain('Runbook'),
  ...extra,
});
export const feedback = {
  type: 'feedback_buttons',
  action_id: 'opinion',
  positive_button: { text: plain('Good'), value: 'good' },
  negative_button: { text: plain('Bad'), value: 'bad' },
};
export const trash = { type: 'icon_button', action_id: 'drop', icon: 'trash', text: plain('Delete') };
