import type { Message } from '../../src/slack/render/blocks.ts';

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const list = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!isNode(value)) return '';
  if (typeof value['text'] === 'string') return value['text'];
  return list(value['elements']).map(text).join('');
}

const oneLine = (value: unknown): string => text(value).replaceAll('\n', ' ⏎ ');

function control(node: Node): string {
  const style = typeof node['style'] === 'string' ? ` ${node['style']}` : '';
  const value = node['value'] ?? node['initial_value'] ?? node['initial_option'] ?? node['initial_options'];
  const said = typeof value === 'string' ? value : JSON.stringify(value);
  return `[${text(node['text']) || String(node['type'])}]${style} ${String(node['action_id'])}=${said}`;
}

function lines(block: Node): string[] {
  const type = String(block['type']);
  switch (type) {
    case 'section':
      return block['text'] === undefined
        ? list(block['fields']).map((field) => `field: ${oneLine(field)}`)
        : [
            `section: ${oneLine(block['text'])}`,
            ...(isNode(block['accessory']) ? [`button: ${control(block['accessory'])}`] : []),
          ];
    case 'context':
      return list(block['elements']).map((element) => `small: ${oneLine(element)}`);
    case 'actions':
      return list(block['elements']).map((element) => `button: ${control(element)}`);
    case 'input':
      return [
        `input ${String(block['block_id'])}${block['optional'] === true ? '' : ' (required)'}: ${text(block['label'])} ${control(isNode(block['element']) ? block['element'] : {})}`,
      ];
    case 'rich_text':
      return text(block)
        .split('\n')
        .map((line) => `    ${line}`);
    case 'data_table':
      return [
        `table: ${oneLine(block['caption'])}`,
        ...(Array.isArray(block['rows']) ? block['rows'] : []).map(
          (row: unknown) => `  | ${list(row).map(text).join(' | ')}`,
        ),
      ];
    case 'data_visualization':
      return [`chart: ${JSON.stringify(block['chart'])}`];
    default:
      return [`${type}: ${oneLine(block['text'])}`];
  }
}

/** Blocks as text for people, for inline snapshots. */
export const outline = (blocks: readonly object[]): string =>
  blocks.flatMap((block) => lines({ ...block })).join('\n');

export const outlineMessage = (message: Message): string =>
  `text: ${message.text}\n${outline(message.blocks)}`;
