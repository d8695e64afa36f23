/**
 * Slack's limits, in one place. Lengths are in UTF-16 code units, times in milliseconds. Sources:
 * docs.slack.dev/reference/block-kit (blocks, block elements, composition objects), /reference/views,
 * /interactivity/handling-user-interaction and /reference/methods/chat.postMessage, read in November 2026.
 */
export const limits = {
  /** After this time, Slack shows an error. */
  ackMs: 3_000,
  signatureAgeMs: 5 * 60_000,

  messageBlocks: 50,
  viewBlocks: 100,
  /**
   * All text in a message's blocks. Not documented: `msg_blocks_too_long` was seen from about 13,200 characters, with much structure from
   * about 11,300 (bolt-js issues 2509 and 2867).
   */
  messageBlocksText: 10_000,
  /** Slack accepts 40,000. Notifications and screen readers need far less. */
  fallbackText: 1_000,

  text: 3_000,
  header: 150,
  field: 2_000,
  fieldsPerSection: 10,
  contextElements: 10,
  actionsElements: 25,
  blockId: 255,

  buttonText: 75,
  buttonValue: 2_000,
  placeholder: 150,
  inputLabel: 2_000,
  inputHint: 2_000,
  inputLength: 3_000,
  options: 100,
  checkboxes: 10,
  optionText: 75,
  optionValue: 75,

  modalTitle: 24,
  modalButton: 24,
  privateMetadata: 3_000,

  /** Without the header. Slack accepts 200, but older documentation says 100. */
  tableRows: 100,
  tableColumns: 20,
  tableText: 10_000,
  chartTitle: 50,
  chartPoints: 20,
  chartLabel: 20,
  chartAxisLabel: 50,
  chartSeries: 6,
  chartSegments: 6,
  chartsPerMessage: 2,

  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
} as const;
