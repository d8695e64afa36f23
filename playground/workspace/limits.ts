/**
 * The limits of Slack, in one place. Sources: docs.slack.dev/reference/block-kit (blocks, elements, composition
 * objects), /reference/methods/chat.postMessage and /apis/web-api/rate-limits, read in November 2026. Lengths are in
 * UTF-16 units, times in milliseconds.
 */
export const LIMITS = {
  ackMs: 3_000,
  triggerMs: 3_000,
  responseUrlMs: 30 * 60_000,
  responseUrlUses: 5,
  /** When an event is delivered again after a failure: at once, after 1 and after 5 minutes. */
  eventRetryMs: [0, 60_000, 5 * 60_000],
  messageBlocks: 50,
  viewBlocks: 100,
  viewStack: 3,
  /** `msg_blocks_too_long`: characters of text in the blocks of a message, tables apart. */
  messageBlockText: 13_000,
  /** `msg_too_long`. */
  messageText: 40_000,
  /** The same for chat.update. */
  updateText: 4_000,
  attachments: 100,
  /** chat.scheduleMessage: up to 120 days ahead, and a limited number to one channel within five minutes. */
  scheduleAheadSeconds: 120 * 24 * 3_600,
  scheduleWindowSeconds: 300,
  scheduledPerWindow: 30,
  channelName: 80,
  viewBytes: 250_000,
  blockId: 255,
  actionId: 255,
  text: 3_000,
  sectionField: 2_000,
  sectionFields: 10,
  header: 150,
  contextElements: 10,
  actionsElements: 25,
  /** Characters in all markdown blocks of one message together. */
  markdown: 12_000,
  imageUrl: 3_000,
  imageAlt: 2_000,
  imageTitle: 2_000,
  inputLabel: 2_000,
  inputHint: 2_000,
  buttonText: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  accessibilityLabel: 75,
  placeholder: 150,
  optionText: 75,
  optionValue: 75,
  optionDescription: 75,
  optionUrl: 3_000,
  options: 100,
  optionGroups: 100,
  optionGroupLabel: 75,
  choices: 10,
  overflowOptions: 5,
  inputMaxLength: 3_000,
  files: 10,
  fileBytes: 10 * 1024 * 1024,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  modalTitle: 24,
  modalButton: 24,
  privateMetadata: 3_000,
  callbackId: 255,
  externalId: 255,
  cardTitle: 150,
  cardBody: 200,
  cardActions: 3,
  carouselCards: 10,
  containerBlocks: 10,
  contextActions: 5,
  videoTitle: 199,
  videoAuthor: 49,
  videoDescription: 200,
  tableRows: 100,
  tableColumns: 20,
  tableText: 10_000,
  /** Header included. */
  dataTableRows: 201,
  dataTableColumns: 20,
  dataTableText: 20_000,
  dataTablePage: 100,
  chartTitle: 50,
  chartLabel: 20,
  chartAxisLabel: 50,
  chartPoints: 20,
  chartSeries: 6,
  chartSegments: 6,
  chartsPerMessage: 2,
  tablesPerMessage: 1,
  /** chat.postMessage: about one a second and channel; a local workspace allows a longer burst first. */
  post: { burst: 60, perSecond: 1 },
  /** Other methods, per method. */
  method: { burst: 300, perSecond: 5 },
  wireEntries: 500,
  wireBody: 16 * 1024,
  /** How many messages of a channel the page gets. */
  shownMessages: 300,
} as const;

/**
 * The allowed places of each block, and of elements that are not allowed everywhere their block is. Source:
 * docs.slack.dev/blocks.json, /reference/block-kit/block-elements.
 */
export const SURFACES: Readonly<Record<string, readonly Surface[]>> = {
  actions: ['message', 'modal', 'home'],
  alert: ['modal'],
  card: ['message'],
  carousel: ['message'],
  container: ['message', 'modal', 'home'],
  context: ['message', 'modal', 'home'],
  context_actions: ['message'],
  data_table: ['message', 'home'],
  data_visualization: ['message'],
  divider: ['message', 'modal', 'home'],
  file_input: ['modal'],
  header: ['message', 'modal', 'home'],
  image: ['message', 'modal', 'home'],
  input: ['message', 'modal', 'home'],
  markdown: ['message'],
  plan: ['message'],
  rich_text: ['message', 'modal', 'home'],
  section: ['message', 'modal', 'home'],
  table: ['message', 'home'],
  task_card: ['message'],
  video: ['message', 'modal', 'home'],
};

export type Surface = 'message' | 'modal' | 'home';
