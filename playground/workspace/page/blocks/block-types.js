import { fromServer } from '../from-server.js';

/**
 * The blocks that a page can draw. The types are Slack's own, as far as @slack/types has them; every block
 * has its id here, because the server gave it one.
 *
 * @typedef {{ label: string, value: number }} DataPoint
 * @typedef {| { type: 'pie', segments: DataPoint[] }
 *   | {
 *       type: 'line' | 'bar' | 'area',
 *       series: { name: string, data: DataPoint[] }[],
 *       axis_config: { categories: string[], x_label?: string, y_label?: string },
 *     }} ChartData
 * @typedef {{ type: 'data_visualization', title: string, chart: ChartData }} DataVisualizationBlock
 *
 * @typedef {import('@slack/types').ActionsBlock
 *   | import('@slack/types').AlertBlock
 *   | import('@slack/types').CardBlock
 *   | import('@slack/types').CarouselBlock
 *   | import('@slack/types').ContainerBlock
 *   | import('@slack/types').ContextActionsBlock
 *   | import('@slack/types').ContextBlock
 *   | import('@slack/types').DataTableBlock
 *   | import('@slack/types').DividerBlock
 *   | import('@slack/types').HeaderBlock
 *   | import('@slack/types').ImageBlock
 *   | import('@slack/types').InputBlock
 *   | import('@slack/types').MarkdownBlock
 *   | import('@slack/types').PlanBlock
 *   | import('@slack/types').RichTextBlock
 *   | import('@slack/types').SectionBlock
 *   | import('@slack/types').TableBlock
 *   | import('@slack/types').TaskCardBlock
 *   | import('@slack/types').VideoBlock
 *   | DataVisualizationBlock} KnownBlock
 * @typedef {KnownBlock & { block_id: string }} PageBlock
 *
 * @typedef {NonNullable<Extract<import('../../gestures/gestures.ts').Outcome, { ok: true }>['options']>[number]} ChosenOption an
 *   option as the server knows it
 *
 * @typedef {import('@slack/types').ActionsBlockElement
 *   | import('@slack/types').ContextActionsBlock['elements'][number]
 *   | import('@slack/types').InputBlockElement
 *   | import('@slack/types').SectionBlockAccessory} Element
 */

/**
 * The server has checked the blocks against Slack's rules; here they get their types.
 * @param {readonly import('../../protocol.ts').DrawnBlock[]} blocks
 * @returns {readonly PageBlock[]}
 */
export function pageBlocks(blocks) {
  return fromServer(blocks);
}

/**
 * The blocks inside a block, each with the id that the server gave it: those of a container, the cards of a carousel.
 * @param {KnownBlock} block
 * @returns {readonly PageBlock[]}
 */
export function innerBlocks(block) {
  if (block.type === 'container') return fromServer(block.child_blocks);
  return block.type === 'carousel' ? fromServer(block.elements) : [];
}
