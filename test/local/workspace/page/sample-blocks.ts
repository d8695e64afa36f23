const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const raw = (text: string) => ({ type: 'raw_text', text });
const words = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
const option = (text: string) => ({ text: plain(text), value: text });
const hours = Array.from({ length: 12 }, (_, index) => `${String(index + 8).padStart(2, '0')}:00`);
const series = (name: string, scale: number) => ({
  name,
  data: hours.map((label, index) => ({ label, value: Math.round(scale * (3 + Math.sin(index))) })),
});

export const CHARTS = (['line', 'bar', 'area'] as const).map((type) => ({
  type: 'data_visualization',
  title: `Answers, ${type}`,
  chart: {
    type,
    series: [series('edge_5xx', 12), series('origin_5xx', 5)],
    axis_config: { categories: hours, x_label: 'Hour', y_label: 'Answers' },
  },
}));

export const PIE = {
  type: 'data_visualization',
  title: 'Share by country',
  chart: {
    type: 'pie',
    segments: ['LU', 'DE', 'FR'].map((label, index) => ({ label, value: 10 + index * 7 })),
  },
};

const DATA_TABLE = {
  type: 'data_table',
  caption: 'Capacity by country',
  page_size: 2,
  rows: [
    [raw('Country'), raw('Gbit/s')],
    ...(
      [
        ['LU', 120],
        ['US', 4000],
        ['DE', 900],
      ] as const
    ).map(([name, value]) => [raw(name), { type: 'raw_number', value, text: String(value) }]),
  ],
};

/** One card as a person meets it. */
export const CARD = [
  { type: 'header', text: plain('Reboot web-1?') },
  {
    type: 'section',
    text: mrkdwn(
      '<@U0ALICE> asks to reboot *web-1*; `*stars*` stay, so does 5 * 3 * 2. <https://example.org|Runbook>',
    ),
    fields: [mrkdwn('*Status*\nACTIVE'), mrkdwn('*Region*\nLuxembourg-2')],
  },
  { type: 'context', elements: [mrkdwn('Expires <!date^1763700000^{date_short} {time}|soon>')] },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'ok', style: 'danger', text: plain('Reboot web-1') },
      { type: 'button', action_id: 'yes', style: 'primary', text: plain('Approve') },
      { type: 'button', action_id: 'no', text: plain('Cancel') },
      { type: 'overflow', action_id: 'more', options: [option('Audit'), option('Copy id')] },
      { type: 'datepicker', action_id: 'day' },
      {
        type: 'static_select',
        action_id: 'pick',
        placeholder: plain('Instance'),
        options: [option('web-1')],
      },
      { type: 'checkboxes', action_id: 'ticks', options: [option('Edge'), option('Origin')] },
    ],
  },
];

/** Every block of words, tables and tasks. */
export const WORDS = [
  { type: 'divider' },
  { type: 'markdown', text: '## Heading\nSome **bold** and [a link](https://example.org)\n\n- one\n- two' },
  {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_list', style: 'ordered', elements: [words('first'), words('second')] },
      { type: 'rich_text_quote', elements: [{ type: 'text', text: 'quoted' }] },
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'pre *stars*' }] },
    ],
  },
  {
    type: 'table',
    rows: [
      [raw('Name'), raw('State')],
      [raw('web-1'), { type: 'rich_text', elements: [words('ACTIVE')] }],
    ],
  },
  DATA_TABLE,
  { type: 'image', image_url: 'https://example.org/graph.png', alt_text: 'A graph', title: plain('Graph') },
  {
    type: 'plan',
    title: 'Reboot of web-1',
    tasks: [
      { type: 'task_card', task_id: '1', title: 'Send it', status: 'complete' },
      { type: 'task_card', task_id: '2', title: 'Wait', status: 'in_progress' },
    ],
  },
  { type: 'task_card', task_id: '3', title: 'Check health', status: 'error' },
];

export const ALERT = {
  type: 'alert',
  level: 'warning',
  text: mrkdwn('*Unknown*: look before you ask again.'),
};
