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

export const DATA_TABLE = {
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

const picture = { type: 'image', image_url: 'https://example.org/icon.png', alt_text: 'An icon' };
const go = (action_id: string, text: string) => ({ type: 'button', action_id, text: plain(text) });
const card = (name: string) => ({
  type: 'card',
  icon: picture,
  title: mrkdwn(`*${name}*`),
  subtitle: mrkdwn('Luxembourg-2'),
  body: mrkdwn('Answers slowly.'),
  actions: [go(`look-${name}`, `Look at ${name}`)],
});

/** Blocks that contain other blocks, and blocks for feedback and videos. */
export const GROUPS = [
  { ...card('web-1'), hero_image: picture, icon: undefined, slack_icon: { type: 'icon', name: 'rocket' } },
  { type: 'carousel', elements: [card('web-2'), card('web-3'), card('web-4')] },
  {
    type: 'container',
    title: plain('Details'),
    subtitle: mrkdwn('of *web-1*'),
    is_collapsible: true,
    child_blocks: [
      { type: 'section', text: mrkdwn('Inside') },
      { type: 'actions', elements: [go('inside', 'Press inside')] },
    ],
  },
  {
    type: 'container',
    title: plain('Framed'),
    has_header_divider: true,
    child_blocks: [{ type: 'context', elements: [mrkdwn('Below the line')] }],
  },
  {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'opinion',
        positive_button: { text: plain('Helpful'), value: 'good' },
        negative_button: { text: plain('Not helpful'), value: 'bad' },
      },
      { type: 'icon_button', action_id: 'drop', icon: 'trash', text: plain('Delete') },
    ],
  },
  {
    type: 'video',
    video_url: 'https://example.org/v',
    thumbnail_url: 'https://example.org/v.png',
    alt_text: 'A hand at a switch',
    title: plain('How to reboot'),
    author_name: 'Carol',
  },
];

export const ATTACHMENT = {
  color: 'danger',
  pretext: 'An alarm:',
  title: 'web-1 is down',
  title_link: 'https://example.org/alarm',
  text: 'since *ten* minutes',
  fields: [{ title: 'Region', value: 'Luxembourg-2', short: true }],
};

export const ALERT = {
  type: 'alert',
  level: 'warning',
  text: mrkdwn('*Unknown*: look before you ask again.'),
};
