import { html } from 'htm/preact';
import { innerBlocks } from './block-types.js';
import { ChartBlock } from './chart-block.js';
import { DataTableBlock } from './data-table-block.js';
import { CardBlock, CarouselBlock, Collapsible, VideoBlock } from './group-blocks.js';
import { ImageBlock } from './image-block.js';
import { InputBlock } from './input-block.js';
import { MarkdownBlock } from './markdown-block.js';
import { PlanBlock, TaskCardBlock } from './plan-block.js';
import { RichText } from './rich-text.js';
import { TableBlock } from './table-block.js';
import {
  ActionsBlock,
  AlertBlock,
  ContextActionsBlock,
  ContextBlock,
  HeaderBlock,
  SectionBlock,
} from './text-blocks.js';

/** @typedef {import('./block-types.js').PageBlock} PageBlock */

function Divider() {
  return html`<hr class="block-divider" />`;
}

/** @param {{ block: import('@slack/types').ContainerBlock }} props */
function ContainerBlock({ block }) {
  return html`<${Collapsible} block=${block}><${BlockList} blocks=${innerBlocks(block)} /><//>`;
}

const views = /** @type {const} */ ({
  actions: ActionsBlock,
  alert: AlertBlock,
  card: CardBlock,
  carousel: CarouselBlock,
  container: ContainerBlock,
  context: ContextBlock,
  context_actions: ContextActionsBlock,
  data_table: DataTableBlock,
  data_visualization: ChartBlock,
  divider: Divider,
  header: HeaderBlock,
  image: ImageBlock,
  input: InputBlock,
  markdown: MarkdownBlock,
  plan: PlanBlock,
  rich_text: RichText,
  section: SectionBlock,
  table: TableBlock,
  task_card: TaskCardBlock,
  video: VideoBlock,
});

/** @param {PageBlock} block */
function blockView(block) {
  if (!Object.hasOwn(views, block.type)) {
    return html`<div class="block-unknown" key=${block.block_id}>
      A block of type “${block.type}” is not drawn here.
    </div>`;
  }
  return html`<div class="block" data-block=${block.type} key=${block.block_id}>
    <${views[block.type]} block=${block} />
  </div>`;
}

/** Blocks, one below the other. @param {{ blocks: readonly PageBlock[] }} props */
export function BlockList({ blocks }) {
  return html`<div class="blocks">${blocks.map(blockView)}</div>`;
}
