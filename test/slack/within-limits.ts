import { textLength } from '../../src/slack/render/blocks.ts';
import { limits } from '../../src/slack/render/limits.ts';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return;
  if (!Array.isArray(value)) yield value;
  for (const part of Object.values(value)) yield* nodesOf(part);
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 0;
const textOf = (value: unknown): number => (isNode(value) ? lengthOf(value['text']) : 0);

/** `[type or key, what is measured, its limit]` for each kind of node. */
const rules: Readonly<Record<string, (node: Node) => (readonly [string, number, number])[]>> = {
  header: (node) => [['header', textOf(node['text']), limits.header]],
  section: (node) => [
    ['section', textOf(node['text']), limits.text],
    ['fields', lengthOf(node['fields']), limits.fieldsPerSection],
    ...(Array.isArray(node['fields']) ? node['fields'] : []).map(
      (field: unknown) => ['field', textOf(field), limits.field] as const,
    ),
  ],
  context: (node) => [['context', lengthOf(node['elements']), limits.contextElements]],
  actions: (node) => [['actions', lengthOf(node['elements']), limits.actionsElements]],
  button: (node) => [
    ['button', textOf(node['text']), limits.buttonText],
    ['value', lengthOf(node['value']), limits.buttonValue],
  ],
  data_table: (node) => [
    ['rows', lengthOf(node['rows']), limits.tableRows + 1],
    ['cells', textLength(node['rows']), limits.tableText],
    ...(Array.isArray(node['rows']) ? node['rows'] : []).map(
      (row: unknown) => ['columns', lengthOf(row), limits.tableColumns] as const,
    ),
  ],
  data_visualization: (node) => [['title', lengthOf(node['title']), limits.chartTitle]],
  line: (node) => [['series', lengthOf(node['series']), limits.chartSeries]],
  bar: (node) => [['series', lengthOf(node['series']), limits.chartSeries]],
  area: (node) => [['series', lengthOf(node['series']), limits.chartSeries]],
  pie: (node) => [['segments', lengthOf(node['segments']), limits.chartSegments]],
  plain_text_input: (node) => [
    ['placeholder', textOf(node['placeholder']), limits.placeholder],
    ['initial', lengthOf(node['initial_value']), limits.inputLength],
  ],
  input: (node) => [
    ['label', textOf(node['label']), limits.inputLabel],
    ['hint', textOf(node['hint']), limits.inputHint],
    ['block_id', lengthOf(node['block_id']), limits.blockId],
  ],
  static_select: (node) => [['options', lengthOf(node['options']), limits.options]],
  multi_static_select: (node) => [['options', lengthOf(node['options']), limits.options]],
  checkboxes: (node) => [['options', lengthOf(node['options']), limits.checkboxes]],
  modal: (node) => [
    ['title', textOf(node['title']), limits.modalTitle],
    ['submit', textOf(node['submit']), limits.modalButton],
    ['private_metadata', lengthOf(node['private_metadata']), limits.privateMetadata],
    ['blocks', lengthOf(node['blocks']), limits.viewBlocks],
  ],
  home: (node) => [['blocks', lengthOf(node['blocks']), limits.viewBlocks]],
};

/** All problems of a message or view that Slack would refuse or cut. Empty if there are none. */
export function beyondLimits(message: unknown): string[] {
  const found: string[] = [];
  for (const node of nodesOf(message)) {
    const type = typeof node['type'] === 'string' ? node['type'] : '';
    for (const [what, length, limit] of rules[type]?.(node) ?? []) {
      if (length > limit) found.push(`${type} ${what}: ${length} > ${limit}`);
    }
    if (typeof node['text'] === 'string' && type !== '') {
      if (node['text'] === '') found.push(`${type}: empty text`);
      if (!node['text'].isWellFormed()) found.push(`${type}: half a character`);
    }
    const ids = (Array.isArray(node['elements']) ? node['elements'] : []).flatMap((element: unknown) =>
      isNode(element) && typeof element['action_id'] === 'string' ? [element['action_id']] : [],
    );
    if (new Set(ids).size !== ids.length) found.push(`action ids repeat: ${ids.join(', ')}`);
  }
  return found;
}

/** The limits of a whole message, in addition to those of its parts. */
export function messageProblems(message: {
  readonly text: string;
  readonly blocks: readonly { readonly type: string }[];
}): string[] {
  const charts = message.blocks.filter(({ type }) => type === 'data_visualization').length;
  return [
    ...beyondLimits(message.blocks),
    ...unescaped(message),
    ...(message.text.trim() === '' ? ['no fallback text'] : []),
    ...(message.text.length > limits.fallbackText ? ['fallback text too long'] : []),
    ...(message.blocks.length > limits.messageBlocks ? [`${message.blocks.length} blocks`] : []),
    ...(charts > limits.chartsPerMessage ? [`${charts} charts`] : []),
    ...(textLength(message.blocks) > limits.messageBlocksText
      ? [`${textLength(message.blocks)} characters`]
      : []),
  ];
}

/** The only markup that we write ourselves. */
const ours =
  /<@[UW][A-Z0-9]+>|<#[CDG][A-Z0-9]+>|<!subteam\^S[A-Z0-9]+>|<!date\^\d+\^[^<>|]+\|[^<>|]+>|<https:\/\/[^<>|\s]+\|Open (?:the source|the runbook|the card|in console)>/gu;
const entity = /&(?:amp|lt|gt);/gu;

/** Markup in mrkdwn or fallback text that came from elsewhere. */
function unescaped(message: { readonly text: string; readonly blocks: unknown }): string[] {
  const texts = [message.text];
  for (const node of nodesOf(message.blocks)) {
    if (node['type'] === 'mrkdwn' && typeof node['text'] === 'string') texts.push(node['text']);
  }
  return texts
    .filter((text) => /[<>&]/u.test(text.replaceAll(ours, '').replaceAll(entity, '')))
    .map((text) => `unescaped: ${text.slice(0, 80)}`);
}
