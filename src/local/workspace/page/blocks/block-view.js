import { html } from 'htm/preact';
import { ChartBlock } from './chart-block.js';
import { DataTableBlock } from './data-table-block.js';
import { ImageBlock } from './image-block.js';
import { InputBlock } from './input-block.js';
import { MarkdownBlock } from './markdown-block.js';
import { PlanBlock, TaskCardBlock } from './plan-block.js';
import { RichText } from './rich-text.js';
import { TableBlock } from './table-block.js';
import { ActionsBlock, AlertBlock, ContextBlock, HeaderBlock, SectionBlock } from './text-blocks.js';

/** @typedef {import('./block-types.js').PageBlock} PageBlock */

function Divider() {
  return html`<hr class="block-divider" />`;
}

const views = /** @type {const} */ ({
  actions: ActionsBlock,
  alert: AlertBlock,
  context: ContextBlock,
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
